// Mutants that no test can see because nothing changes: each with the reason. Named as the run
// names them, without the line.

export const EQUIVALENT: Readonly<Record<string, string>> = {};
