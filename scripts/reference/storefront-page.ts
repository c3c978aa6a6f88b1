// docs/reference/storefront-api.md: the storefront's calls by words, made of the OpenAPI document that its routes make.
import { code, drawPage, drawRows } from './markdown.ts';

type Schema = { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] };
type Operation = {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
};
export type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

export function writeStorefrontPage({ paths }: OpenApi): string {
  const calls = Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => operation.summary !== undefined)
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));
  return drawPage([
    `# Calls of the storefront

Written by \`npm run dump -- reference\` from the routes. Shapes of what is sent and answered: [storefront-openapi.json](storefront-openapi.json), which a shop of the environment \`demo\` serves at \`/openapi.json\` too. Answers are \`{ code, msg, content }\`: [answer-codes.md](answer-codes.md). Fields with \`?\` may be left out.

A call that changes something takes the header \`Idempotency-Key\`: 8 to 100 visible ASCII characters without a comma, sent once. The same key returns the first answer of a payment or of a prepaid card again, without a second order. A key of another form is refused with 400 and \`badIdempotencyKey\`.`,
    drawRows(
      ['Call', 'Does', 'Takes'],
      calls.map(({ path, method, operation }) => [
        code(`${method.toUpperCase()} ${path}`),
        operation.summary ?? '',
        listFields(operation).join(', '),
      ]),
    ),
  ]);
}

function listFields({ parameters = [], requestBody }: Operation): string[] {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  const sent = Object.keys(schema?.properties ?? {}).map((name) => ({
    name,
    required: schema?.required?.includes(name) ?? false,
  }));
  const named = parameters.filter((parameter) => parameter.in !== 'header');
  return [...named, ...sent].map(({ name, required }) => code(required ? name : `${name}?`));
}
