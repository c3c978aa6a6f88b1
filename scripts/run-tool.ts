// Starts the command of an installed package on this same Node, without going through npm or a shell.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..');

export type ToolResult = { exitCode: number; output: string; milliseconds: number };

/** Absolute path of the script behind a package's command. */
export function toolPath(packageName: string, command = packageName): string {
  const folder = join(projectRoot, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : bin[command];
  if (script === undefined) throw new Error(`The package ${packageName} has no command ${command}.`);
  return join(folder, script);
}

/**
 * Runs a script with the pinned Node in the project's root.
 * @param output "show" hands the terminal on, "keep" collects both streams for the result
 */
export function runScript(script: string, args: readonly string[], output: 'show' | 'keep'): Promise<ToolResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectRoot,
    stdio: output === 'show' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: output === 'keep' && process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env,
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const milliseconds = Math.round(performance.now() - startedAt);
      // Ended by a signal: no code of its own, and certainly no success.
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), milliseconds });
    });
  });
}
