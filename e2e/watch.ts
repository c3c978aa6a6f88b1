// Notes everything that a browser complains about while a flow runs: errors of the page, refusals
// of the content policy, calls that failed. A flow that causes some of it on purpose says which.
import type { BrowserContext, Page } from '@playwright/test';

export type Watch = {
  /** Lists the complaints that were not allowed, a line each. */
  complaints: () => string[];
  /** From here on complaints of this form are wanted. */
  allow: (pattern: RegExp) => void;
};

const MARK = 'refused by the content policy:';

export async function watchPages(context: BrowserContext): Promise<Watch> {
  const lines: string[] = [];
  const allowed: RegExp[] = [];
  const note = (page: Page, line: string) => {
    if (isOurs(page.url())) lines.push(line);
  };
  await context.addInitScript((mark) => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`${mark} ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  }, MARK);
  context.on('page', (page) => {
    page.on('pageerror', (error) => note(page, `error: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(page, `console: ${message.text()}`);
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A page that is left drops what it was waiting for.
      if (why !== 'net::ERR_ABORTED' && isOurs(request.url())) lines.push(`failed: ${request.url()} ${why}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400 && isOurs(response.url())) lines.push(`${response.status()}: ${response.url()}`);
    });
  });
  return {
    complaints: () => lines.filter((line) => !allowed.some((pattern) => pattern.test(line))),
    allow: (pattern) => void allowed.push(pattern),
  };
}

function isOurs(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith('.demo.localhost');
}
