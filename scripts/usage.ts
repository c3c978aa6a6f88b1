// `--help` of the scripts of package.json, before they do anything.

/** Prints how a script is called, and ends the process well, when that is what was asked. */
export function answerHelp(usage: string, given: readonly string[] = process.argv.slice(2)): void {
  if (!given.some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit(0);
}
