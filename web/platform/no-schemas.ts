// Stands in for typebox in the page's build (vite.config.ts): every schema is an empty object,
// so that the contracts' route tables come along without the library that checks them.

const nothing = () => ({});

const Type: Record<string, () => object> = new Proxy({}, { get: () => nothing });

// eslint-disable-next-line import/no-default-export -- typebox is imported by its default export
export default Type;
