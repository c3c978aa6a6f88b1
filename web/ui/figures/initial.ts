/** The round mark of a person or character without a picture: the first letter of a name, one grapheme, upper case. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first ? first.segment.toLocaleUpperCase() : '';
}
