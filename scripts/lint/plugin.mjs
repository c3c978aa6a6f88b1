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

/** Calls that answer text: the page's own messages, and what formats a number, a moment or a name. */
const isTextCall = ({ type, callee }) =>
  type === 'CallExpression' &&
  ((callee.type === 'Identifier' &&
    /^(t|String|format[A-Z]\w*|write[A-Z]\w*|initialOf|nameOf\w*)$/.test(callee.name)) ||
    (callee.type === 'MemberExpression' &&
      /^(toString|join|trim|slice|format|toLocale\w*)$/.test(callee.property.name)));

/** An element of the browser: what stands alone in one of ours may have others beside it there. */
const isHost = ({ type, openingElement }) => type === 'JSXElement' && /^[a-z]/.test(openingElement.name.name ?? '');

/** Lists what a child may draw: 'text', 'none', 'one' (an element or a list), 'any' where only a run can say. */
function drawn(node) {
  // Translations leave blanks alone.
  if (node.type === 'JSXText' || node.type === 'Literal') {
    const { value } = node;
    return new Set(
      value === null || typeof value === 'boolean' ? ['none'] : [String(value).trim() === '' ? 'blank' : 'text'],
    );
  }
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const isElement = node.type === 'JSXElement' && node.openingElement.name.name !== 'Fragment';
    // A fragment is nothing itself: its texts come and go.
    const texts = isElement ? [] : node.children.filter((one) => drawn(one).has('text'));
    return new Set(texts.length > 0 ? ['one', 'text'] : ['one']);
  }
  if (node.type === 'JSXExpressionContainer') return drawn(node.expression);
  if (node.type === 'JSXEmptyExpression') return new Set();
  if (node.type === 'TemplateLiteral' || node.name === 'children' || isTextCall(node)) return new Set(['text']);
  if (node.type === 'BinaryExpression') return new Set([node.operator === '+' ? 'text' : 'none']);
  if (node.type === 'Identifier' && node.name === 'undefined') return new Set(['none']);
  if (node.type === 'LogicalExpression') {
    const last = drawn(node.right);
    return node.operator === '&&' ? new Set([...last, 'none']) : new Set([...drawn(node.left), ...last]);
  }
  if (node.type === 'ConditionalExpression') {
    const [yes, no] = [drawn(node.consequent), drawn(node.alternate)];
    const all = new Set([...yes, ...no]);
    return new Set([...all].every((kind) => kind === 'text' || kind === 'blank') ? ['text'] : [...all, 'none']);
  }
  if (node.type === 'CallExpression' && node.callee.property?.name === 'map') {
    const { body } = node.arguments[0] ?? {};
    return new Set(['one', 'none', ...(body && body.type !== 'BlockStatement' ? drawn(body) : [])]);
  }
  return new Set(['any']);
}

/**
 * Text that comes and goes beside others, or stands behind what does. Browsers that translate a page put each text into
 * an element of their own: React then finds no text to take away or to put something before, and the page breaks.
 */
const noBareText = {
  meta: { type: 'problem', docs: { description: 'Text beside what comes and goes has its own element' }, schema: [] },
  create(context) {
    const check = (node) => {
      const children = node.children.filter(
        (one) => one.type !== 'JSXText' || !/^\s*$/.test(one.value) || !/\n/.test(one.value),
      );
      const kinds = children.map(drawn);
      const isAlone = kinds.filter((kind) => kind.size > 0).length < 2 && isHost(node);
      if (isAlone) return;
      let isMoving = false;
      for (const [index, kind] of kinds.entries()) {
        const comesAndGoes = kind.has('none') || (kind.has('any') && kind.size > 1);
        if (kind.has('text') && (comesAndGoes || isMoving))
          context.report({
            node: children[index],
            message: 'Bare text beside what comes and goes: a translated page breaks. Give it an element.',
          });
        isMoving ||= comesAndGoes;
      }
    };
    /** Names of the functions around; a component's ends in an element. */
    const names = [];
    const enter = ({ id }) => void names.push(id?.name ?? '');
    const leave = () => void names.pop();
    return {
      JSXElement: check,
      JSXFragment: check,
      FunctionDeclaration: enter,
      'FunctionDeclaration:exit': leave,
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      FunctionExpression: enter,
      'FunctionExpression:exit': leave,
      ReturnStatement({ argument }) {
        if (!argument || !/^[A-Z]/.test(names.at(-1)) || !drawn(argument).has('text')) return;
        if (argument.type === 'JSXFragment') return;
        context.report({ node: argument, message: 'A component that answers bare text: give it an element.' });
      },
    };
  },
};

/** Named apart from boundaries, so that a report says at once which law was broken. */
const plugin = { meta: { name: 'refill' }, rules: { 'no-clock': noClock, 'no-bare-text': noBareText } };

export default plugin;
