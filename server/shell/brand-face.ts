// Describes the looks of a shop for pages that modules write: they may not know the theme, so it is handed to them.
import type { BrandKey } from '#kernel/ids.ts';
import type { BrandFace } from '../modules/accounts/links/question-page.ts';
import type { Configuration } from '../modules/configuration/service.ts';
import { writeBarColours, writeTheme } from './theme.ts';

export function readBrandFace({ brands }: Configuration, brandKey: BrandKey): BrandFace {
  const brand = brands.get(brandKey);
  // Whoever asks has found the brand by its host; its configuration may have changed since.
  if (!brand) return { name: '', theme: '', head: '' };
  const { name, theme, look } = brand.file;
  return { name, theme: writeTheme({ theme, look }), head: writeBarColours({ theme, look }) };
}
