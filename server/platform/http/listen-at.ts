// Opens a listener. `::` takes IPv6 and IPv4; the image has it, for a cluster may have either.
type Listener = { listen: (at: { host: string; port: number }) => Promise<unknown> };

/** A kernel without IPv6 refuses `::`, and a container cannot know its kernel beforehand. */
const WITHOUT_IPV6 = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/** Listens at `::` as Node.js does where no address is given: all of IPv4 where the machine has no IPv6. */
export async function listenAt(server: Listener, at: { host: string; port: number }): Promise<void> {
  try {
    await server.listen(at);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (at.host !== '::' || !WITHOUT_IPV6.includes(code)) throw error;
    await server.listen({ ...at, host: '0.0.0.0' });
  }
}
