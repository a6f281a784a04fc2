/** TELEGRAM_TRIED=10000 in the environment tries so many updates, and TELEGRAM_SEED=1 the same ones again. */
export const tried = {
  count: Number(process.env['TELEGRAM_TRIED'] ?? 300),
  seed: Number(process.env['TELEGRAM_SEED'] ?? Date.now() % 1_000_000),
};
