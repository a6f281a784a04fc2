import type { Page } from 'playwright-core';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import type { TestAccount, TestApi } from '../../helpers/api.ts';
import type { Web } from '../helpers/web.ts';

type Block = Readonly<Record<string, unknown>>;

/** A flow whose first block is this External Request, opened in the builder with the block's editor beside it. */
export const openEditor = async (
  { api, web }: { api: TestApi; web: Web },
  account: TestAccount,
  block: Block = {},
  options: Parameters<Web['open']>[1] = {},
): Promise<{ page: Page; flowId: string; stored: () => Promise<Block> }> => {
  const { create, draft } = flowCalls(api, account);
  const request = { id: 'call', type: 'external_request', method: 'GET', url: 'https://api.example.com/', ...block };
  const { id: flowId } = await create(aFlowDefinition({ blocks: [request, { id: 'end', type: 'end' }] }));
  const page = await web.open(`/flows/${flowId}?tab=builder`, { session: account.session, ...options });
  await page.locator('.block-face', { hasText: 'call' }).first().click();
  await page.getByRole('tablist', { name: 'External Request' }).waitFor();
  const stored = async (): Promise<Block> => {
    const blocks = (await draft(flowId)).body.definition['blocks'];
    const [first] = Array.isArray(blocks) ? blocks : [];
    return first;
  };
  return { page, flowId, stored };
};

/** The tab of the editor with this name, opened. */
export const goToTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('tablist', { name: 'External Request' }).getByRole('tab', { name }).click();

/** Pastes a text where the focus is, as a browser does. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    `(() => { const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })); })()`,
  );
