// Checks the rules inside one brand file that its schema cannot express.
import type { BrandFile } from '#contracts/brand-file.ts';
import { NOTICE_ITEMS, NOTICES } from '#contracts/notices.ts';
import { BRAND_RETENTION, type Bounds, RETENTION, type Retention } from '#contracts/retention.ts';
import { AGE_CAPS } from '#kernel/age-caps.ts';
import { readTimeZone } from '#kernel/calendar.ts';
import { readHttpsOrigin } from '#kernel/origins.ts';
import { checkVip } from './check-vip-rules.ts';
import type { AssetFacts, FieldPath, Finding } from './finding-types.ts';

export type BrandSurroundings = {
  /** Folder names under games/, also of files that have faults of their own. */
  readonly gameIds: ReadonlySet<string>;
  readonly assets: ReadonlyMap<string, AssetFacts>;
};

/** Which setting a login kind is dead without; huawei's client id is fixed and twitter asks the server. */
const LOGIN_SETTINGS = {
  google: 'googleClientId',
  ios: 'appleServicesId',
  facebook: 'facebookAppId',
  vk: 'vkAppId',
} as const;

/** @param logins null: not known, as where no server is behind the files */
export function checkOwnLogin(
  key: string,
  { logins: { kinds, ownName } }: BrandFile,
  logins: readonly { readonly kind: string }[] | null,
): Finding[] {
  const fault = (at: FieldPath, reason: string): Finding => ({
    level: 'fault',
    file: `brands/${key}/brand.yaml`,
    at,
    reason,
  });
  const place = kinds.indexOf('own');
  if (place === -1)
    return ownName === undefined
      ? []
      : [fault(['logins', 'ownName'], 'names a login that is not offered; add own to kinds, or remove it')];
  if (ownName === undefined)
    return [fault(['logins', 'kinds', place], 'has no name that players read; write logins.ownName')];
  if (logins === null || logins.some(({ kind }) => kind === 'own')) return [];
  return [
    fault(['logins', 'kinds', place], 'needs a module that brings a login of the kind own; name it in modules.yaml'),
  ];
}

/** @source contracts/retention.ts, where each bound has its law or its reason */
function checkRetention(file: string, retention: Retention): Finding[] {
  return BRAND_RETENTION.flatMap((name) => {
    const days = retention[name];
    const { about, bounds } = RETENTION[name];
    const { least, most }: Bounds = bounds;
    const broken = days === undefined ? null : days < least.days ? least : days > most.days ? most : null;
    if (!broken) return [];
    const by = broken.law === undefined ? '' : ` (${broken.law})`;
    const reason = `keeps ${about} for ${days} days; ${broken.because}${by}; write ${least.days} to ${most.days}`;
    return [{ level: 'fault', file, at: ['retention', name], reason }];
  });
}

export function checkBrand(key: string, brand: BrandFile, { gameIds, assets }: BrandSurroundings): Finding[] {
  const file = `brands/${key}/brand.yaml`;
  const findings: Finding[] = [];
  const add = (level: Finding['level'], at: FieldPath, reason: string) => findings.push({ level, file, at, reason });

  findings.push(...checkRetention(file, brand.retention ?? {}));
  if (readTimeZone(brand.timeZone) === null) {
    add('fault', ['timeZone'], `"${brand.timeZone}" is no name of a time zone; write an IANA name, e.g. "Asia/Tokyo"`);
  }
  for (const [index, host] of brand.hosts.live.entries()) {
    if (!host.includes('demo')) continue;
    add(
      'fault',
      ['hosts', 'live', index],
      `"${host}" contains "demo", so payments would go to sandboxes; rename it or move it to hosts.demo`,
    );
  }
  for (const [index, host] of brand.hosts.demo.entries()) {
    if (host.includes('demo')) continue;
    add(
      'fault',
      ['hosts', 'demo', index],
      `"${host}" does not contain "demo", so real money would be taken; rename it or move it to hosts.live`,
    );
  }
  for (const [index, game] of brand.games.entries()) {
    if (!gameIds.has(game))
      add('fault', ['games', index], `there is no games/${game}/game.yaml; correct the id or add the game`);
  }
  for (const [clientId, region] of Object.entries(brand.clientRegions ?? {})) {
    if (brand.regions[region]) continue;
    add(
      'fault',
      ['clientRegions', clientId],
      `the brand does not sell in ${region}; add it to regions or choose another`,
    );
  }
  findings.push(...checkRegions(file, brand));
  const { heroFocus: _, ...art } = brand.art;
  for (const [name, picture] of Object.entries(art)) {
    findings.push(...checkAsset(file, ['art', name], `brands/${key}/assets/${picture}`, assets));
  }
  for (const [language, pictures] of Object.entries(brand.banner ?? {})) {
    for (const [index, picture] of pictures.entries()) {
      findings.push(...checkAsset(file, ['banner', language, index], `brands/${key}/assets/${picture}`, assets));
    }
    if (!(brand.languages as string[]).includes(language)) {
      add('warning', ['banner', language], `the brand does not offer ${language}, so nobody sees these pictures`);
    }
  }
  if (brand.hasStepBar && brand.version !== 'classic') {
    add('fault', ['hasStepBar'], 'only the classic version has steps; write false, or version: classic');
  }
  if (brand.needsTrackingConsent && !brand.tracking) {
    add('fault', ['needsTrackingConsent'], 'asks about tracking, and there is none; add tracking or write false');
  }
  findings.push(...checkFooter(file, brand), ...checkVip(key, brand));
  for (const [index, parent] of brand.embedParents.entries()) {
    if (readHttpsOrigin(parent) !== null) continue;
    add(
      'fault',
      ['embedParents', index],
      `"${parent}" is no exact https origin; write scheme and host alone, e.g. "https://sdk.watt.example"`,
    );
  }
  for (const [kind, setting] of Object.entries(LOGIN_SETTINGS)) {
    if ((brand.logins.kinds as string[]).includes(kind) && !brand.logins[setting]) {
      add('warning', ['logins', 'kinds'], `${kind} is offered without logins.${setting}, so its button cannot work`);
    }
  }
  return findings;
}

/** Links, notices and hours: said for a region that is sold in, in words that can be shown, and not for nobody. */
function checkFooter(file: string, brand: BrandFile): Finding[] {
  const findings: Finding[] = [];
  const add = (at: FieldPath, reason: string) => findings.push({ level: 'fault', file, at, reason });
  const areas = Object.entries(brand.areas ?? {});
  for (const [region] of areas) {
    if (!(region in brand.regions))
      add(['areas', region], `the brand does not sell in ${region}; add it to regions or remove it`);
  }
  const shown = new Set([...brand.notices, ...areas.flatMap(([, area]) => area.notices ?? [])]);
  for (const notice of NOTICES) {
    const items = brand.noticeItems?.[notice];
    if (!shown.has(notice)) {
      if (items) add(['noticeItems', notice], `no footer shows ${notice}; add it to notices or remove the items`);
      continue;
    }
    const missing = NOTICE_ITEMS[notice].filter((item) => items?.[item] === undefined);
    if (missing.length > 0)
      add(
        items ? ['noticeItems', notice] : ['notices'],
        `the notice ${notice} lacks ${missing.join(', ')}, which the law wants said; write ` +
          `noticeItems.${notice}.${missing[0]}`,
      );
  }
  for (const [region, area] of areas) {
    if (area.confirmation === 'japan' && !(area.notices ?? brand.notices).includes('trade'))
      add(
        ['areas', region, 'confirmation'],
        'names seller and terms out of the notice trade, which is not shown there; add trade to notices',
      );
    if (area.confirmation === 'korea' && !brand.koreanBusiness)
      add(['areas', region, 'confirmation'], 'names the seller out of koreanBusiness, which is missing; write it');
    const caps = area.ageCaps && AGE_CAPS[area.ageCaps];
    const entry = brand.regions[region];
    if (!caps || !entry) continue;
    const currencies = entry.countries.map(({ currency }) => currency ?? entry.currency ?? brand.currency);
    const other = currencies.find((currency) => currency !== caps.currency);
    if (other)
      add(
        ['areas', region, 'ageCaps'],
        `the caps are in ${caps.currency}, and ${region} sells in ${other}; sell in ${caps.currency} alone there`,
      );
  }
  const hasContact = brand.links.support !== undefined || areas.some(([, area]) => area.links?.support !== undefined);
  if (brand.supportHours !== undefined && !hasContact && shown.size === 0)
    add(['supportHours'], 'tells hours of a service that no link leads to; add links.support or remove them');
  return findings;
}

function checkRegions(file: string, brand: BrandFile): Finding[] {
  const regions = Object.entries(brand.regions);
  if (regions.length === 0) {
    return [
      { level: 'fault', file, at: ['regions'], reason: 'names no payment region; add at least one, e.g. universal' },
    ];
  }
  return regions.flatMap(([region, { countries }]) =>
    countries.flatMap(({ code }, index): Finding[] => {
      const at = ['regions', region, 'countries', index, 'code'];
      if (code === 'GLOBAL') {
        return [
          {
            level: 'fault',
            file,
            at,
            reason: 'GLOBAL is no country a player pays from; list the countries themselves',
          },
        ];
      }
      if (countries.findIndex((other) => other.code === code) === index) return [];
      return [{ level: 'fault', file, at, reason: `${code} is listed twice in ${region}; remove one` }];
    }),
  );
}

/** A picture that a file names must be there. */
export function checkAsset(
  file: string,
  at: FieldPath,
  path: string,
  assets: ReadonlyMap<string, AssetFacts>,
): Finding[] {
  if (assets.has(path)) return [];
  return [{ level: 'fault', file, at, reason: `${path} does not exist; add the picture or correct the name` }];
}

/**
 * Every SVG of the folders must be a plain drawing, also one that no file names: all of them are
 * served from the shop's own origin.
 */
export function checkDrawings(assets: ReadonlyMap<string, AssetFacts>): Finding[] {
  return [...assets].flatMap(([file, { faults }]): Finding[] =>
    faults.map(({ line, sentence }) => ({ level: 'fault', file, at: [], line, reason: sentence })),
  );
}
