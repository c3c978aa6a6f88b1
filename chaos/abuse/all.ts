// The five tests of abuse, all against a server in a process of its own.
import type { ChaosTest } from '../kit/chaos-test.ts';
import { huge } from './huge.ts';
import { nonsense } from './nonsense.ts';
import { pollution } from './pollution.ts';
import { slow } from './slow.ts';
import { smuggling } from './smuggling.ts';

export const ABUSE: readonly ChaosTest[] = [nonsense, pollution, huge, slow, smuggling];
