// The English messages, compiled as the build compiles them: for tests that look at what a player reads.
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import texts from '../messages/en.json' with { type: 'json' };

export const english: Record<string, unknown> = Object.fromEntries(
  Object.entries(texts).map(([id, text]) => [id, compileMessageOrThrow(text)]),
);
