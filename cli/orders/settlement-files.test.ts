import { expect, test } from 'vitest';
import { readSettlementFile } from './settlement-files.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* readWhole(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  yield Buffer.concat(parts).toString('latin1');
}

async function read(bytes: Buffer): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readSettlementFile('adyen', 'fees.csv', readWhole, inPieces(bytes, 3))) lines.push(line);
  return lines;
}

test.each([
  ['UTF-8 whose letters are cut by the pieces', Buffer.from('ref\nü日本\n')],
  ['UTF-16 with its mark', Buffer.from('\ufeffref\nü', 'utf16le')],
])('a settlement file in %s passes as it is', async (_, bytes) => {
  expect(await read(bytes)).toEqual([bytes.toString('latin1')]);
});

test('a settlement file of another encoding is refused with its name and line', async () => {
  const bytes = Buffer.concat([Buffer.from('ref\na\n'), Buffer.from('Zürich\n', 'latin1')]);
  await expect(read(bytes)).rejects.toThrow('--file "fees.csv": has bytes behind line 3 that are not UTF-8');
});
