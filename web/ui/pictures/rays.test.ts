// The sunburst of the dearest drawings reaches far beyond their boxes: wherever a drawing may
// overflow, it is switched off.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('web/{features,platform,screens,ui}/**/*.css');
const rulesOf = (css: string) =>
  Array.from(css.matchAll(/([^{}]+)\{([^{}]*)\}/g), ([, selector = '', body = '']) => ({
    selector: selector.trim(),
    body,
  }));

const SHOWN_ON_PURPOSE = [
  // The stage of a card cuts them off, where the rays are the light behind the pack.
  'web/features/catalogue/cards/card.face.css',
  'web/features/catalogue/cards/card.wide.css',
  // The box of the delivery, which has none.
  'web/features/orders/celebration/celebration.module.css',
];

test.each(files.filter((file) => !SHOWN_ON_PURPOSE.includes(file.replaceAll('\\', '/'))))(
  '%s lets no rays over its words',
  (file) => {
    const rules = rulesOf(readFileSync(file, 'utf8'));
    const isOff = (selector: string) =>
      rules.some((rule) => rule.body.includes('--rays: none') && selector.startsWith(rule.selector));
    const open = rules.filter(({ body }) => /overflow: visible/.test(body)).map(({ selector }) => selector);
    expect(open.filter((selector) => !isOff(selector))).toEqual([]);
  },
);
