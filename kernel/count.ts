// How a count of things is written: of gems, of gifts.

// Made once: making one costs a phone more than drawing the card.
const COUNT = new Intl.NumberFormat('en-US');

/** 1280 -> "1,280". Western digits and commas in every language, as amounts of money. */
export function showCount(count: number): string {
  return COUNT.format(count);
}
