// The generated pages of docs/reference: which there are, and what writes each.
import { writeAnswerCodesPage } from './answer-codes-page.ts';
import { writeCliPage } from './cli-page.ts';
import { writeEventsPage } from './events-page.ts';
import { type OpenApi, writeStorefrontPage } from './storefront-page.ts';

/** @returns what every file of docs/reference that is generated shall hold, by its name */
export async function writeReference(openApi: OpenApi): Promise<Record<string, string>> {
  return {
    'cli.md': writeCliPage(),
    'answer-codes.md': await writeAnswerCodesPage(),
    'events.md': writeEventsPage(),
    'storefront-api.md': writeStorefrontPage(openApi),
    'storefront-openapi.json': `${JSON.stringify(openApi, null, 1)}\n`,
  };
}
