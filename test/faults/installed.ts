import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startInstallation, type Installation } from './installation.ts';
import { createSite, type Site, type SiteOptions } from './site.ts';

/**
 * One installation for the scenarios of a `describe`, whole again before each. Its sites stay open until the last one is
 * over, so that what comes after a site has settled does not go unseen.
 */
export const useInstallation = (): {
  installed: () => Installation;
  aSite: (options?: SiteOptions) => Promise<Site>;
} => {
  const opened = new AsyncDisposableStack();
  let installation: Installation;
  beforeAll(async () => {
    installation = await startInstallation();
    opened.defer(installation.stop);
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
