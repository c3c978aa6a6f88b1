// Writes the markdown of the generated pages.

/** A table of Markdown. */
export function drawRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** Ends in one line break, and has no more than one empty line in a row. */
export function drawPage(parts: readonly string[]): string {
  return `${parts
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
