// Checks methods against the channels that lead from them.
import type { ChannelEntry, ChannelsFile, MethodEntry } from '#contracts/channels-file.ts';
import { findNear } from '#kernel/near.ts';
import { checkAsset } from './check-brand-rules.ts';
import { repeated } from './check-game-rules.ts';
import type { AssetFacts, FieldPath, Finding } from './finding-types.ts';

const FILE = 'channels/channels.yaml';

function fault(at: FieldPath, reason: string): Finding {
  return { level: 'fault', file: FILE, at, reason };
}

export function checkMethods(
  { methods = [], channels }: ChannelsFile,
  assets: ReadonlyMap<string, AssetFacts>,
): Finding[] {
  const keys = methods.map(({ key }) => key);
  const used = new Set(channels.flatMap(({ method, sub = [] }) => [method, ...sub.map((entry) => entry.method)]));
  return [
    ...repeated(keys).map((index) =>
      fault(['methods', index, 'key'], `the method "${keys[index]}" is there twice; rename one`),
    ),
    ...methods.flatMap((method, index) => checkMethod(method, ['methods', index], used, assets)),
    ...channels.flatMap((channel, index) => checkNames(channel, ['channels', index], keys)),
  ];
}

function checkMethod(
  method: MethodEntry,
  at: FieldPath,
  used: ReadonlySet<string | undefined>,
  assets: ReadonlyMap<string, AssetFacts>,
): Finding[] {
  const findings = checkAsset(FILE, [...at, 'mark'], `channels/assets/${method.mark}`, assets);
  for (const [index, network] of (method.networks ?? []).entries())
    findings.push(...checkAsset(FILE, [...at, 'networks', index], `channels/assets/${network}`, assets));
  if (!method.label === !method.name)
    findings.push(
      fault(at, 'needs a label or a name, one of the two: a word that every language has, or a name of its own'),
    );
  if (!used.has(method.key))
    findings.push({ level: 'warning', file: FILE, at, reason: 'no channel leads from it, so it is never shown' });
  return findings;
}

/** Every entry that a player may see has a name: of its own, or of its method. */
function checkNames(channel: ChannelEntry, at: FieldPath, keys: readonly string[]): Finding[] {
  const subs = channel.sub ?? [];
  const findings = [
    ...checkKey(channel.method, [...at, 'method'], keys),
    ...subs.flatMap((sub, index) => checkKey(sub.method, [...at, 'sub', index, 'method'], keys)),
    ...subs.flatMap((sub, index) =>
      sub.name || sub.method
        ? []
        : [fault([...at, 'sub', index], 'has neither a name nor a method; a player could not tell what it is')],
    ),
  ];
  const isAllElsewhere = subs.length > 0 && subs.every((sub) => sub.method);
  if (channel.method || isAllElsewhere) return findings;
  if (!channel.name) findings.push(fault(at, 'has neither a name nor a method; add the method that it is a way of'));
  if (keys.includes(channel.id))
    findings.push(
      fault([...at, 'id'], `"${channel.id}" is the key of a method too; write method: ${channel.id}, or rename one`),
    );
  return findings;
}

function checkKey(method: string | undefined, at: FieldPath, keys: readonly string[]): Finding[] {
  if (method === undefined || keys.includes(method)) return [];
  const near = findNear(method, keys);
  const remedy = near ? `did you mean "${near}"?` : `known are ${keys.join(', ') || 'none'}`;
  return [fault(at, `there is no method "${method}"; ${remedy}`)];
}
