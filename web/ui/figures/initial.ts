/** The round mark of a person or character without a picture: the first letter of a name, one grapheme, upper case. */
export function initialOf(name: string): string {
  const text = name.trim();
  // Firefox has it since version 125; before, a letter with marks of its own stands without them.
  const [first] = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter().segment(text) : [];
  return (first?.segment ?? [...text][0] ?? '').toLocaleUpperCase();
}
