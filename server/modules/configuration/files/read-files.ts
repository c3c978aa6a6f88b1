// Reads brands/, games/ and channels/ of a folder, checks them and tells every fault at once, each with file and line.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkBrandChannels,
  checkClientRegions,
  checkCoverage,
  checkEventPlaces,
  checkGameIds,
  checkHosts,
  checkPrices,
} from '#server/modules/configuration/checks/check-across-rules.ts';
import { checkBrand, checkDrawings, checkOwnLogin } from '#server/modules/configuration/checks/check-brand-rules.ts';
import { checkChannels } from '#server/modules/configuration/checks/check-channels-rules.ts';
import { checkEvents } from '#server/modules/configuration/checks/check-events-rules.ts';
import { checkOffers } from '#server/modules/configuration/checks/check-offers-rules.ts';
import { checkCounted } from '#server/modules/configuration/checks/check-counted-rules.ts';
import { checkGame, checkProtocol } from '#server/modules/configuration/checks/check-game-rules.ts';
import { checkPlaces } from '#server/modules/configuration/checks/check-places-rules.ts';
import { checkTexts, findMissingTexts } from '#server/modules/configuration/checks/check-texts-rules.ts';
import { checkCodeGoods, checkCodes } from '#server/modules/configuration/checks/check-codes-rules.ts';
import { checkLevelGoods } from '#server/modules/configuration/checks/check-vip-rules.ts';
import type { ConfigurationFiles, FileKind } from '#server/modules/configuration/configuration.ts';
import type { Fault, FieldPath, Finding, KnownProvider } from '#server/modules/configuration/checks/finding-types.ts';
import type { Language } from '#kernel/languages.ts';
import { readUtf8, type TextFault } from '#server/platform/utf8.ts';
import { readMessages } from './read-messages.ts';
import { explainLink, explainNames, findLinkedFolders, findMisnamed } from './find-unread.ts';
import { readAssets } from './read-assets.ts';
import { readYaml, type ReadYaml } from './read-yaml.ts';
import { takeDeprecatedKeys } from './deprecated-keys.ts';
import { checkShape, type BodyOf } from './schema.ts';

export type ReadOptions = {
  /**
   * The payment adapters of this server; a channel of another, or in a currency that its
   * adapter refuses, is then a fault.
   */
  readonly providers?: readonly KnownProvider[];
  /** The game protocols of this server; a game of another is then a fault. */
  readonly protocols?: readonly { readonly name: string }[];
  /** The logins of this server; a brand that offers accounts of its own needs one of them. */
  readonly logins?: readonly { readonly kind: string }[];
  /** Texts in the place of games' files, by path from the root: what would be found if they were written. */
  readonly replacing?: ReadonlyMap<string, string>;
  /** Carries faults found earlier, in the shop's own modules. */
  readonly faults?: readonly Fault[];
};

/** A text that a brand promises by its languages, with the line of the field that lacks it. */
export type MissingText = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly at: FieldPath;
  /** `goods[ember_60].name` */
  readonly path: string;
  readonly language: Language;
  readonly english: string;
  readonly brands: readonly string[];
};

export type ReadFiles =
  | {
      readonly ok: true;
      readonly files: ConfigurationFiles;
      readonly warnings: readonly Fault[];
      /** Gives a finding of a later check its line. */
      locate(finding: Finding): Fault;
      readonly missingTexts: readonly MissingText[];
    }
  | {
      readonly ok: false;
      readonly faults: readonly Fault[];
      readonly warnings: readonly Fault[];
      /** Null when a file could not be read, for then nobody knows what is missing. */
      readonly missingTexts: readonly MissingText[] | null;
    };

type Source<Kind extends FileKind> = {
  file: string;
  yaml: ReadYaml | null;
  findings: Finding[];
  body: BodyOf[Kind] | null;
};

/**
 * @param root folder that holds brands/, games/ and channels/
 * @throws when the disk fails; a folder or file that is not there is a fault
 */
export async function readFiles(root: string, options: ReadOptions = {}): Promise<ReadFiles> {
  const [brandKeys, gameIds] = await Promise.all([listFolders(root, 'brands'), listFolders(root, 'games')]);
  const [brands, games, channels, regions, messages, { files: assets, links }] = await Promise.all([
    Promise.all(brandKeys.map((key) => readSource(root, 'brand', `brands/${key}/brand.yaml`))),
    Promise.all(gameIds.map((id) => readSource(root, 'game', `games/${id}/game.yaml`, options.replacing))),
    readSource(root, 'channels', 'channels/channels.yaml'),
    readSource(root, 'regions', 'regions/regions.yaml'),
    readMessages(root),
    readAssets(root, [
      ...brandKeys.map((key) => `brands/${key}/assets`),
      ...gameIds.map((id) => `games/${id}/assets`),
      'channels/assets',
    ]),
  ]);
  const files = [...brands, ...games, channels, regions];
  const unread = await Promise.all([
    findMisnamed(root, [...files.map(({ file }) => file), 'modules.yaml']),
    findLinkedFolders(root, 'brands'),
    findLinkedFolders(root, 'games'),
  ]);
  // A file that has another name is not said to be missing as well.
  const misnamed = new Set(unread.flat().map(({ file }) => file.replace(/\.yml$/, '.yaml')));
  const wholeBrands = wholeOnes(brandKeys, brands);
  const wholeGames = wholeOnes(gameIds, games);
  const ownRegions = regions.body ?? {};
  const texts = { brands: wholeBrands, games: wholeGames, channels: channels.body, regions: ownRegions };
  const findings = [
    ...(brandKeys.length === 0 ? [explainNoBrand(root)] : []),
    ...explainNames('brands', brandKeys),
    ...explainNames('games', gameIds),
    ...unread.flat(),
    ...files.flatMap((source) => (source.yaml === null && misnamed.has(source.file) ? [] : source.findings)),
    ...messages.findings,
    ...checkDrawings(assets),
    ...[...wholeBrands].flatMap(([key, brand]) => [
      ...checkBrand(key, brand, { gameIds: new Set(gameIds), assets }),
      ...checkOwnLogin(key, brand, options.logins ?? null),
      ...checkCodes(key, brand),
    ]),
    ...[...wholeGames].flatMap(([id, game]) => [
      ...checkGame(id, game, assets),
      ...checkCounted(id, game),
      ...checkProtocol(id, game, options.protocols ?? null),
      ...checkEvents(id, game),
      ...checkOffers(id, game),
    ]),
    ...checkHosts(wholeBrands),
    ...checkGameIds(wholeGames),
    ...checkClientRegions(wholeBrands, wholeGames),
    ...checkPrices(wholeBrands, wholeGames),
    ...checkLevelGoods(wholeBrands, wholeGames),
    ...checkCodeGoods(wholeBrands, wholeGames),
    ...checkEventPlaces(wholeBrands, wholeGames, brandKeys),
    // A regions file with faults of its own names nothing yet; then nobody knows what is missing.
    ...(regions.body ? checkPlaces(texts) : []),
    ...checkTexts(texts),
    ...(channels.body
      ? [
          ...checkChannels(channels.body, {
            brandKeys: new Set(brandKeys),
            providers: options.providers ?? null,
            assets,
          }),
          ...checkBrandChannels(wholeBrands, channels.body),
          ...checkCoverage(wholeBrands, channels.body),
        ]
      : []),
  ];
  const sources = new Map<string, ReadYaml | null>([
    ...files.map((source) => [source.file, source.yaml] as const),
    ...messages.sources,
  ]);
  const place = (finding: Finding) => locate(explainLink(finding, links), sources.get(finding.file));
  const located = findings.map((finding) => ({ level: finding.level, fault: place(finding) }));
  const warnings = inOrder(located.filter(({ level }) => level === 'warning').map(({ fault }) => fault));
  const faults = inOrder([
    ...(options.faults ?? []),
    ...located.filter(({ level }) => level === 'fault').map(({ fault }) => fault),
  ]);
  const isWhole = files.every((source) => source.body !== null);
  const missingTexts = isWhole
    ? findMissingTexts(texts).map((text) => ({ ...text, line: sources.get(text.file)?.lineOf(text.at) ?? 1 }))
    : null;
  if (faults.length > 0 || !channels.body) return { ok: false, faults, warnings, missingTexts };
  return {
    ok: true,
    files: {
      brands: wholeBrands,
      games: wholeGames,
      channels: channels.body,
      regions: ownRegions,
      messages: messages.texts,
    },
    warnings,
    locate: place,
    missingTexts: missingTexts ?? [],
  };
}

/** Of a folder that was mounted wrongly, or cloned by half, as of one that is no shop. */
const explainNoBrand = (root: string): Finding => ({
  level: 'fault',
  file: 'brands',
  at: [],
  reason: `there is no brand in ${join(root, 'brands')}; name the folder of your shop, or bring the whole of it here`,
});

async function listFolders(root: string, room: string): Promise<string[]> {
  const entries = await readdir(join(root, room), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

async function readSource<Kind extends FileKind>(
  root: string,
  kind: Kind,
  file: string,
  replacing?: ReadonlyMap<string, string>,
): Promise<Source<Kind>> {
  const fault = (at: Finding['at'], reason: string): Finding => ({ level: 'fault', file, at, reason });
  const read = () =>
    readUtf8(join(root, file)).catch((error: NodeJS.ErrnoException): TextFault | null => {
      if (error.code === 'ENOENT') return null;
      if (!/^(?:EACCES|EPERM|EISDIR)$/.test(error.code ?? '')) throw error;
      return { line: 1, reason: `cannot be read (${error.code}); let the account of this process read the file` };
    });
  const text = replacing?.get(file) ?? (await read());
  // An operator without regions of their own has no such file.
  if (text === null && kind === 'regions') return { file, yaml: null, body: {} as BodyOf[Kind], findings: [] };
  if (text === null)
    return { file, yaml: null, body: null, findings: [fault([], 'is missing; add it or remove its folder')] };
  const yaml = readYaml(text);
  const { body, warnings } = takeDeprecatedKeys(kind, yaml.body);
  const misshapen = yaml.syntaxFaults.length > 0 ? [] : checkShape(kind, body);
  const isWhole = misshapen.length === 0 && yaml.syntaxFaults.length === 0;
  const syntax = yaml.syntaxFaults.map(({ reason, line }) => ({ ...fault([], reason), line }));
  return {
    file,
    yaml,
    body: isWhole ? (body as BodyOf[Kind]) : null,
    findings: [
      ...syntax,
      ...misshapen.map(({ at, reason }) => fault(at, reason)),
      ...warnings.map((warning): Finding => ({ level: 'warning', file, ...warning })),
    ],
  };
}

function wholeOnes<Kind extends FileKind>(
  keys: readonly string[],
  sources: readonly Source<Kind>[],
): Map<string, BodyOf[Kind]> {
  return new Map(
    keys.flatMap((key, index) => {
      const body = sources[index]?.body;
      return body ? [[key, body] as const] : [];
    }),
  );
}

function locate(finding: Finding, yaml: ReadYaml | null | undefined): Fault {
  const line = finding.line ?? yaml?.lineOf(finding.at) ?? 1;
  const field = yaml?.fieldOf(finding.at) ?? '';
  const { file, reason } = finding;
  return { file, line, field, reason, sentence: `${file}:${line}: ${field === '' ? '' : `${field}: `}${reason}` };
}

function inOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
}
