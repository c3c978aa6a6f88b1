// Loaded into every child of `npm start` before its own code (node --import): no child outlives the launcher.
// A killed launcher cannot send a signal; the end of the channel to it is the only sign.

// Our choice: draining takes 10 s at most; whoever is still here after 15 s hangs.
const timeoutMs = 15_000;

// The launcher reads our output. Once it is gone, writing fails, and an unheard error would cut the draining short.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), timeoutMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Listening must not keep a child alive that has nothing more to do.
process.channel?.unref();
