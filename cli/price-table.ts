// Changes of prices as a plan tells them: one line a product where few change, a summary where many do, and all as a
// table, CSV or JSON.
import { type PriceEffect, showPercent } from '#server/modules/configuration/service.ts';
import { writeCsv } from './csv.ts';
import { drawTable } from './terminal.ts';

const PRICE_HEAD = ['game', 'product', 'country', 'before', 'after', 'currency', 'percent', 'from'] as const;

/** Our choice: what fits on a screen. More are summed up by game and currency. */
const MAX_LINES = 30;

/** Of a plan: none where no price changes. */
export function summarisePrices(effects: readonly PriceEffect[]): string[] {
  if (effects.length === 0) return [];
  const head = `Prices: ${effects.length} change by product and country.`;
  const lines = [...Map.groupBy(effects, sameChange).values()].map(describeGroup);
  if (lines.length <= MAX_LINES) return [head, ...lines];
  return [
    head,
    ...summariseByCurrency(effects),
    '`plan --prices` lists them all, with --format csv for a spreadsheet.',
  ];
}

/** All of them. */
export function writePrices(effects: readonly PriceEffect[], format: string): string {
  const rows = effects.map((effect) => [
    effect.game,
    effect.product,
    effect.country,
    effect.before?.amount ?? '',
    effect.after?.amount ?? '',
    currencyOf(effect),
    effect.percent ?? '',
    effect.from === null ? '' : showMoment(effect.from),
  ]);
  if (format === 'csv') return writeCsv(PRICE_HEAD, rows);
  return drawTable(
    PRICE_HEAD.map((name) => name.toUpperCase()),
    rows.map((row) => row.map((cell) => (cell === '' ? null : cell))),
  );
}

/** As JSON: the same fields, in the words of the table. */
export function listPrices(effects: readonly PriceEffect[]): object[] {
  return effects.map(({ game, product, country, before, after, percent, from, isJump }) => ({
    game,
    product,
    country,
    before,
    after,
    percent,
    from: from === null ? null : showMoment(from),
    is_jump: isJump,
  }));
}

function showMoment(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

function currencyOf({ before, after }: PriceEffect): string {
  if (before && after && before.currency !== after.currency) return `${before.currency} -> ${after.currency}`;
  return (after ?? before)?.currency ?? '';
}

const sameChange = ({ country: _country, ...rest }: PriceEffect): string => JSON.stringify(rest);

/** `  ember_60 0.99 -> 1.09 USD (+10.1 %) in US, CA and 4 more` */
function describeGroup(group: readonly PriceEffect[]): string {
  const [first] = group as [PriceEffect];
  const { game, product, before, after, percent, from } = first;
  const shown = [first.before, first.after].map((price) => (price ? price.amount : 'not sold'));
  const change =
    before?.currency === after?.currency || !before || !after
      ? `${shown.join(' -> ')} ${currencyOf(first)}`
      : `${before.amount} ${before.currency} -> ${after.amount} ${after.currency}`;
  const countries = group.map(({ country }) => country);
  const rest = countries.length - 6;
  const where = rest > 0 ? `${countries.slice(0, 6).join(', ')} and ${rest} more` : countries.join(', ');
  const when = from === null ? '' : `, from ${showMoment(from)}`;
  return `  ${game} ${product} ${change}${percent === null ? '' : ` (${showPercent(percent)})`} in ${where}${when}`;
}

/** `  emberfall USD: 12 products in 31 countries, -12.5 % to +10 %, first from 2026-12-01T00:00:00Z` */
function summariseByCurrency(effects: readonly PriceEffect[]): string[] {
  return [...Map.groupBy(effects, (effect) => `${effect.game} ${currencyOf(effect)}`)].map(([name, group]) => {
    const products = new Set(group.map(({ product }) => product)).size;
    const countries = new Set(group.map(({ country }) => country)).size;
    const percents = group.flatMap(({ percent }) => percent ?? []);
    const span =
      percents.length === 0 ? [] : [`${showPercent(Math.min(...percents))} to ${showPercent(Math.max(...percents))}`];
    const added = group.filter(({ before }) => before === null).length;
    const gone = group.filter(({ after }) => after === null).length;
    const moments = group.flatMap(({ from }) => from ?? []);
    return `  ${name}: ${[
      `${products} products in ${countries} countries`,
      ...span,
      ...(added > 0 ? [`${added} new`] : []),
      ...(gone > 0 ? [`${gone} gone`] : []),
      ...(moments.length > 0
        ? [`${moments.length} from a later moment, the first ${showMoment(Math.min(...moments))}`]
        : []),
    ].join(', ')}`;
  });
}
