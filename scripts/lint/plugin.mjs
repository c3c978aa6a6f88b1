// Lint rules of this project that no published plugin has.

const clockCalls = new Set([
  'Date.now',
  'performance.now',
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]);

/** Pure code takes the time and chance as parameters, so that its tests need neither a clock nor luck. */
const noClock = {
  meta: { type: 'problem', docs: { description: 'Pure code reads neither the clock nor chance' }, schema: [] },
  create(context) {
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
        const name = `${callee.object.name}.${callee.property.name}`;
        if (clockCalls.has(name)) context.report({ node, message: `${name}() in pure code: take it as a parameter.` });
      },
      NewExpression(node) {
        if (node.callee.name !== 'Date' || node.arguments.length > 0) return;
        context.report({ node, message: 'new Date() in pure code: take the time as a parameter.' });
      },
    };
  },
};

/** Named apart from boundaries, so that a report says at once which law was broken. */
const plugin = { meta: { name: 'refill' }, rules: { 'no-clock': noClock } };

export default plugin;
