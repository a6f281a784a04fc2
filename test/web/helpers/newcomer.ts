import type { Locator, Page } from 'playwright-core';

/** Does what somebody does who sees the pages for the first time, and counts the clicks. Keys are not counted. */
export const createNewcomer = (page: Page) => {
  const counted = { clicks: 0 };
  const click = async (what: Locator): Promise<void> => {
    await what.first().click();
    counted.clicks += 1;
  };
  const press = (name: string | RegExp): Promise<void> =>
    click(page.getByRole('button', { name, exact: true }).filter({ visible: true }));
  const dialog = page.getByRole('dialog');
  return {
    counted,
    click,
    press,
    /** From the list of flows to an empty one in the builder. */
    createFlow: async (name: string): Promise<void> => {
      await press('Create flow');
      await dialog.getByLabel('Name').waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Build your flow' }).waitFor();
    },
    /** Sends the request of the open block once, and opens the dialog that maps a value of the response. */
    testAndChoose: async (key: string): Promise<void> => {
      await click(page.getByRole('tab', { name: 'Test', exact: true }));
      await press('Send request');
      await click(page.getByRole('tree', { name: 'Values of the response' }).getByText(key, { exact: false }));
      await dialog.getByText('Map value to field').waitFor();
    },
    /** Adds a block at the selected block's first port, and writes its text. */
    reply: async (text: string): Promise<void> => {
      await press('Add after');
      await page.getByPlaceholder('Type to filter').waitFor();
      await page.keyboard.type('Send');
      await page.keyboard.press('Enter');
      await click(page.getByLabel('Text', { exact: true }));
      await page.keyboard.type(text);
    },
    publish: async (): Promise<void> => {
      await press('Publish');
      await click(dialog.getByRole('button', { name: 'Publish', exact: true }));
      await page.getByText('Published as version 1').waitFor();
    },
    /** Writes to the live flow, first with the word that starts it, which is there already. */
    talk: async (): Promise<Locator> => {
      await press('Send a message');
      await dialog.getByRole('textbox', { name: 'Message' }).waitFor();
      return dialog.getByRole('log', { name: 'Your conversation with the flow' });
    },
  };
};

/** A cURL command for the test endpoint, as documents of a service have it. */
export const curlOf = (url: string): string =>
  `curl -X POST '${url}/orders?full=1' -H 'Authorization: Bearer sk_live_51Habcdef0123456789' ` +
  `-H 'Content-Type: application/json' -d '{"number":"1042"}'`;
