// A browser without pictures for the providers' pages: follows redirects, keeps cookies, fills the form with the name.

/** The player lands at the shop by an address, or (Apple) by a form posted to it. */
export type Landing = { url: string; form: Record<string, string> | null };

/** @param name null presses Cancel */
export async function walkLogin(start: string, name: string | null): Promise<Landing> {
  const jar = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | null = null;
  for (let step = 0; step < 12; step += 1) {
    if (isCallback(url)) return { url, form: null };
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(body ? { method: 'POST', body } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const cut = pair.indexOf('=');
      jar.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
    body = null;
    const next = response.headers.get('location');
    if (next) {
      url = new URL(next, url).href;
      continue;
    }
    const page = await response.text();
    const action = unescape(/<form[^>]* action="([^"]*)"/.exec(page)?.[1] ?? '');
    // A refusal that is posted to the shop stands in a page with an error status.
    if (!action) throw new Error(`${url} answered ${response.status}: ${page.slice(0, 500)}`);
    const fields = Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((match) => [
        match[1] ?? '',
        unescape(match[2] ?? ''),
      ]),
    );
    url = new URL(action, url).href;
    if (isCallback(url)) return { url, form: fields };
    body = new URLSearchParams({ ...fields, ...(name === null ? { action: 'cancel' } : { name, action: 'continue' }) });
  }
  throw new Error('the walk does not end');
}

function isCallback(url: string): boolean {
  return new URL(url).pathname.startsWith('/util/login/callback/');
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
