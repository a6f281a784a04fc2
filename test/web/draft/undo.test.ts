import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

test('undo and redo in the builder say what they do, and reach what was typed as JSON', async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(aFlowDefinition({ text: 'First' }));
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  const editor = page.getByRole('textbox', { name: 'The draft as JSON' });
  await editor.fill(JSON.stringify(aFlowDefinition({ text: 'Second' })));
  await page.getByRole('tab', { name: 'Builder' }).click();
  const canvas = page.getByRole('application');
  await canvas.getByText('Second').waitFor();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.hover();
  await page.getByRole('tooltip', { name: 'Undo: Edit JSON' }).waitFor();
  await undo.click();
  await canvas.getByText('First').waitFor();
  await expect.poll(() => undo.getAttribute('data-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Redo' }).click();
  await canvas.getByText('Second').waitFor();
  await undo.click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editor.getByText('First').waitFor();
});
