import type { Page } from 'playwright-core';

/** What the browser keeps of drafts. */
export const readKept = (page: Page): Promise<string> =>
  page.evaluate<string>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('parley-drafts');
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onerror = () => resolve('');
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
      reading.onerror = () => reject(reading.error);
      reading.onsuccess = () => { opening.result.close(); resolve(JSON.stringify(reading.result)); };
    };
  })`);
