// A fork whose runner was killed would run on to the end of its file; what it has started ends with it. By a signal, for
// Vitest has taken process.exit away from tests.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
