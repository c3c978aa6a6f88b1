// Brings a sprite into the document once, so that its drawings take the page's colours.
// XMLHttpRequest because it parses XML by itself: innerHTML and DOMParser are refused by the content policy (Trusted
// Types).

const asked = new Map<string, Promise<void>>();

/** Loads the sprite at `url` and puts it at the end of the body. A failure is quiet: drawings are decoration. */
export function loadSprite(url: string): Promise<void> {
  const known = asked.get(url);
  if (known) return known;
  const loading = fetchDocument(url).then((drawing) => {
    if (drawing) document.body.append(document.importNode(drawing, true));
    // A later drawing may try again, for instance when the line is back.
    else asked.delete(url);
  });
  asked.set(url, loading);
  return loading;
}

function fetchDocument(url: string): Promise<Element | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', url);
    request.responseType = 'document';
    request.overrideMimeType('image/svg+xml');
    request.addEventListener('load', () => resolve(request.status === 200 ? rootOf(request.responseXML) : null));
    for (const end of ['error', 'abort', 'timeout']) request.addEventListener(end, () => resolve(null));
    request.send();
  });
}

function rootOf(drawing: Document | null): Element | null {
  const root = drawing?.documentElement ?? null;
  return root?.localName === 'svg' ? root : null;
}
