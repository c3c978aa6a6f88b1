// The steps of the rehearsal, in their order. Another one is a line here.
import { buyStep } from './buy.ts';
import { copySteps } from './keep-copy.ts';
import { refundSteps } from './refund.ts';
import type { Step } from './run-steps.ts';
import { shopSteps } from './make-shop.ts';
import { serveSteps } from './serve-shop.ts';

export const STEPS: readonly Step[] = [...shopSteps, ...serveSteps, buyStep, ...refundSteps, ...copySteps];
