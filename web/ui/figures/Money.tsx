// An amount as the server wrote it. Always left to right, also in the middle of an Arabic sentence.
export function Money({ text }: { text: string }) {
  return <bdi dir="ltr">{text}</bdi>;
}
