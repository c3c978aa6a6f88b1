// Promo codes of a brand as modules read them: money parsed, windows as moments.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { PromoCodeEntry } from '#contracts/codes-file.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { readAmounts } from './amount-types.ts';
import { momentIn } from './game-events-types.ts';

export type PromoCode = {
  readonly file: PromoCodeEntry;
  /** Null: the code takes a rate off, or nothing. */
  readonly off: ReadonlyMap<Currency, Money> | null;
  /** Null: any price. */
  readonly minSpend: ReadonlyMap<Currency, Money> | null;
  /** Epoch milliseconds, the end not part of it; null: open. */
  readonly validFrom: number | null;
  readonly validEnd: number | null;
};

export function buildPromoCodes({ codes = [], timeZone }: BrandFile): ReadonlyMap<string, PromoCode> {
  return new Map(
    codes.map((file) => [
      file.code,
      {
        file,
        off: file.off ? readAmounts(file.off) : null,
        minSpend: file.minSpend ? readAmounts(file.minSpend) : null,
        validFrom: momentIn(file.from, timeZone),
        validEnd: momentIn(file.until, timeZone),
      },
    ]),
  );
}
