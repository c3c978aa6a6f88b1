// A text with a few elements of HTML: read by kernel/safe-html.ts, drawn element by element, never
// given to the browser as mark-up.
import { createElement, Fragment, type ReactNode } from 'react';
import { parseSafeHtml, type SafeNode } from '#kernel/safe-html.ts';

export function SafeHtml({ html }: { html: string }) {
  return drawNodes(parseSafeHtml(html));
}

function drawNodes(nodes: readonly SafeNode[]): ReactNode {
  return nodes.map((node, index) => {
    // The text does not change while it is shown, so places are as good as names.
    if (typeof node === 'string') return <Fragment key={index}>{node}</Fragment>;
    const link = node.href === undefined ? {} : { href: node.href, target: '_blank', rel: 'noopener noreferrer' };
    return createElement(node.tag, { key: index, ...link }, ...(node.tag === 'br' ? [] : [drawNodes(node.children)]));
  });
}
