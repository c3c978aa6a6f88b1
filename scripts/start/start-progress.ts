// One line per step of `npm start`, with the time it took.

export type Progress = {
  step: <Result>(label: string, work: () => Promise<Result>) => Promise<Result>;
  say: (line: string) => void;
};

/** @param write takes a piece of text; the end of a line comes with the piece */
export function createProgress(write: (text: string) => void): Progress {
  return {
    say: (line) => write(`${line}\n`),
    step: async (label, work) => {
      const startedAt = performance.now();
      // Said before, because a slow step must not look like a standstill.
      write(`${label} ... `);
      try {
        const result = await work();
        write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
        return result;
      } catch (error) {
        write('failed\n');
        throw error;
      }
    },
  };
}
