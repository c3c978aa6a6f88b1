// The brand's own drawings, put into the page once as symbols, so that they take its colours and are not sent twice.
import type { BrandPicture, PagePicture } from '#contracts/boot.ts';

/** @param id of the symbol; @returns what the page knows of the picture, and the symbol's mark-up (empty for a file) */
export function placePicture(picture: BrandPicture, id: string): { page: PagePicture; symbol: string } {
  if ('url' in picture) return { page: picture, symbol: '' };
  const { viewBox, inner } = readSvg(picture.svg);
  return { page: { symbol: id, viewBox }, symbol: `<symbol id="${id}" viewBox="${viewBox}">${inner}</symbol>` };
}

/**
 * The box and the content of an SVG file. Scripts, handlers and style attributes could do nothing here (the content policy
 * refuses them), they are taken out so that nothing is reported.
 */
function readSvg(svg: string): { viewBox: string; inner: string } {
  const open = /<svg\b[^>]*>/i.exec(svg)?.[0] ?? '';
  const viewBox = /\bviewBox="([\d\s.,-]+)"/.exec(open)?.[1] ?? '0 0 40 40';
  const from = svg.indexOf(open) + open.length;
  const inner = svg
    .slice(from, svg.lastIndexOf('</svg>'))
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<(script|style|foreignObject)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/\s(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '');
  return { viewBox, inner };
}
