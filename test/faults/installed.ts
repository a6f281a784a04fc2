import { afterAll, afterEach, beforeEach, test } from 'vitest';
import { retireWebhooks } from '../helpers/states/webhooks.ts';
import { startInstallation, type Installation } from './installation.ts';
import { createSite, type Site, type SiteOptions } from './site.ts';

/** For all files of a worker, which are of one mode: the start of its servers takes as long as a kill. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads there which other fixtures it needs
const inWorker = test.extend('installation', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const installation = await startInstallation();
  onCleanup(installation.stop);
  return installation;
});

/**
 * The installation for the scenarios of a `describe`, whole again before each. Its sites stay open until the last one is
 * over, so that what comes after a site has settled does not go unseen.
 */
export const useInstallation = (): {
  installed: () => Installation;
  aSite: (options?: SiteOptions) => Promise<Site>;
} => {
  const opened = new AsyncDisposableStack();
  let installation: Installation;
  inWorker.beforeAll(async ({ installation: ofWorker }) => {
    installation = ofWorker;
    await installation.revive();
    // What a file before has left unfinished sends nothing into this one.
    await retireWebhooks(installation.db);
  });
  beforeEach(() => installation.revive());
  afterEach(({ task }) => {
    // Where nobody can look into the folder any more.
    if (task.result?.state === 'fail') console.error(installation.service.complaints());
  });
  afterAll(() => opened.disposeAsync());
  return {
    installed: () => installation,
    aSite: async (options) => {
      const site = await createSite(installation, options);
      opened.defer(site.close);
      return site;
    },
  };
};
