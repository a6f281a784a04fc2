// A fork whose runner was killed would run on to the end of its file; what it has started ends with it. By a signal, for
// Vitest has taken process.exit away from tests.
const endWithRunner = (): void => void process.kill(process.pid, 'SIGKILL');

// A fork runs this before each of its files.
if (!process.listeners('disconnect').some(({ name }) => name === endWithRunner.name))
  process.on('disconnect', endWithRunner);
