// Databases for `npm run chaos`: the same temporary server and migrated template that the tests use.
import setup from '#testing/global-database.ts';

export type Databases = { template(): Promise<string>; stop(): Promise<void> };

/** Nothing is started before somebody asks for the template. */
export function openDatabases(): Databases {
  let started: Promise<{ url: string; stop: () => Promise<void> }> | undefined;
  const start = async () => {
    let url = '';
    const stop = await setup({
      provide: (_name: string, value: string) => {
        url = value;
      },
    } as never);
    return { url, stop };
  };
  return {
    template: async () => (await (started ??= start())).url,
    stop: async () => {
      const running = await started?.catch(() => undefined);
      await running?.stop();
    },
  };
}
