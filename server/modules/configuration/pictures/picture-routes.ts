// The sizes of pictures by address: the name is the hash of the content, so a browser keeps them for ever.
import type { FastifyInstance } from 'fastify';
import type { PictureShelf } from './serve-pictures.ts';

const NAME = /^([\w-]{16})\.(avif|webp)$/;

/** `/pictures/<hash>.<avif|webp>` */
export function mountPictureRoutes(app: FastifyInstance, shelf: PictureShelf): void {
  app.get<{ Params: { name: string } }>(
    '/pictures/:name',
    { schema: { hide: true } as never },
    async ({ params: { name }, headers }, reply) => {
      const [, hash = '', format = ''] = NAME.exec(name) ?? [];
      const tag = `"${hash}"`;
      const picture = hash === '' ? null : await shelf.find(hash);
      if (picture?.mediaType !== `image/${format}`)
        return reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send('Not Found');
      reply.headers({
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: tag,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      });
      if (headers['if-none-match'] === tag) return reply.code(304).send();
      return reply.type(picture.mediaType).send(picture.bytes);
    },
  );
}
