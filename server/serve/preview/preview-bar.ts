// The bar over every page of a preview: that it is one, of which moment, and the brands that there are. English, as all
// that speaks to operators.

// Layers that a page lays over its own top must not reach into the bar.
export const BAR_STYLES = `
#root { position: relative }
.refill-preview { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 6px 16px;
  font: 600 13px/20px system-ui, sans-serif; color: #1b1300; background: #ffcf40; position: relative; z-index: 1 }
.refill-preview span { font-weight: 400 }
@media (max-width: 700px) { .refill-preview span { order: 1; flex-basis: 100% } }
.refill-preview details { position: relative; margin-inline-start: auto }
.refill-preview summary { cursor: pointer; text-decoration: underline; padding: 2px 0 }
.refill-preview ul { position: absolute; inset-inline-end: 0; z-index: 1000; margin: 4px 0 0; padding: 6px; list-style: none;
  max-height: 60vh; overflow: auto; background: #fff; border: 1px solid #1b1300; border-radius: 8px }
.refill-preview a { display: block; padding: 6px 12px; color: #1b1300; white-space: nowrap }
.refill-preview a[aria-current] { background: #ffcf40; border-radius: 4px }
`;

export type Bar = {
  readonly brand: string;
  readonly brands: readonly string[];
  /** Epoch milliseconds of the prices; null: now. */
  readonly at: number | null;
};

/** @param page a whole document */
export function addBar(page: string, { brand, brands, at }: Bar): string {
  // Keys of brands are letters, digits, "_" and "-": nothing to escape.
  const links = brands.map(
    (one) => `<li><a href="/preview/brand/${one}"${one === brand ? ' aria-current="true"' : ''}>${one}</a></li>`,
  );
  const when = at === null ? '' : `, with the prices of ${new Date(at).toISOString().replace('.000Z', 'Z')}`;
  const bar =
    `<aside class="refill-preview" lang="en" dir="ltr">Preview of ${brand}<span>Not applied${when}. Paying and ` +
    `logging in are off.</span><details><summary>Brands</summary><ul>${links.join('')}</ul></details></aside>`;
  return page
    .replace('</head>', '<meta name="robots" content="noindex"><link rel="stylesheet" href="/preview/bar.css"></head>')
    .replace(/<body[^<>]*>/, (body) => `${body}${bar}`);
}
