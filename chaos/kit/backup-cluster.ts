// A PostgreSQL with an archive of its log and a base backup, which can be brought back to a moment: as
// docs/production.md says, with cp in the place of pgBackRest.
// @source https://www.postgresql.org/docs/18/continuous-archiving.html
import { appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Defer } from '#bench/kit/cleanup.ts';
import { type Cluster, copyRunning, createCluster, runSql } from './cluster.ts';

export type BackupCluster = {
  /** The first one; it is dead after `restore`. */
  readonly cluster: Cluster;
  /** Of the one that serves now. */
  port(): number;
  /** A base backup while it runs. */
  copy(): Promise<void>;
  /** Sets the moment that `restore` goes back to, and waits until the archive has it. */
  remember(): Promise<void>;
  /**
   * kill -9, and the backup with the archive up to the moment on another port.
   * @returns seconds until it takes writes
   */
  restore(): Promise<number>;
};

const POINT = 'before_the_loss';

export async function createBackupCluster(defer: Defer, root: string): Promise<BackupCluster> {
  const first = await createCluster(defer, join(root, 'first'));
  const [archive, copy] = [join(root, 'archive'), join(root, 'copy')];
  const { uid, gid } = await stat(join(first.dataDir, 'cluster'));
  for (const folder of [archive, copy]) {
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, uid, gid);
  }
  await runSql(
    first.url,
    `alter system set archive_mode = 'on'`,
    `alter system set archive_command = 'cp %p ${archive}/%f'`,
  );
  await first.stop();
  await first.start();
  let port = first.port;
  return {
    cluster: first,
    port: () => port,
    copy: async () => {
      const label = await copyRunning(first, join(copy, 'cluster'), 'base');
      await writeFile(join(copy, 'cluster', 'backup_label'), label);
    },
    remember: async () => {
      const [row] = await runSql(
        first.url,
        `select pg_create_restore_point('${POINT}')`,
        'select pg_walfile_name(pg_switch_wal()) as file',
      );
      await waitUntilArchived(first.url, String(row?.['file']));
    },
    restore: async () => {
      await first.kill();
      const began = performance.now();
      const data = join(copy, 'cluster');
      await rm(join(data, 'postmaster.pid'), { force: true });
      await rm(join(data, 'postmaster.opts'), { force: true });
      await appendFile(
        join(data, 'postgresql.auto.conf'),
        `archive_mode = 'off'\nrestore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = ` +
          `'${POINT}'\nrecovery_target_action = 'promote'\n`,
      );
      await writeFile(join(data, 'recovery.signal'), '');
      const { password } = new URL(first.url);
      await writeFile(join(copy, 'password'), `${decodeURIComponent(password)}\n`, { mode: 0o600 });
      for (const file of ['backup_label', 'recovery.signal', 'postgresql.auto.conf'])
        await chown(join(data, file), uid, gid);
      const restored = await createCluster(defer, copy);
      port = restored.port;
      await waitUntilWritable(restored.url);
      return (performance.now() - began) / 1000;
    },
  };
}

const TIMEOUT_MS = 60_000;

async function waitUntilArchived(url: string, file: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await runSql(url, 'select last_archived_wal as file from pg_stat_archiver');
    if (String(row?.['file'] ?? '') >= file) return;
    if (performance.now() > deadline) throw new Error(`the log ${file} was not archived`);
    await sleep(100);
  }
}

async function waitUntilWritable(url: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await runSql(url, 'select pg_is_in_recovery() as is_waiting').catch(() => []);
    if (row?.['is_waiting'] === false) return;
    if (performance.now() > deadline) throw new Error('the restored PostgreSQL takes no writes');
    await sleep(100);
  }
}
