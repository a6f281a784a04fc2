import { Button, Stack, Switch } from '@mantine/core';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { isCurl } from '../../../../shared/flows/curl/parse-curl.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { ChoiceField } from '../panel/controls/choice-field.tsx';
import { Misfit } from '../panel/controls/misfit.tsx';
import { NumberField } from '../panel/controls/number-field.tsx';
import { SwitchField } from '../panel/controls/switch-field.tsx';
import { TemplateField } from '../panel/controls/template-field.tsx';
import { useAt } from '../panel/controls/use-at.ts';
import { TemplateTable } from './template-table.tsx';
import { words } from './words.ts';

const methods = { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' };

type Props = Pick<BlockFormProps, 'set'> & { pasteCurl: (text: string) => void };

/** Where a request goes, and how. */
export const RequestPart = ({ set, pasteCurl }: Props) => (
  <Stack gap="md">
    <div
      className="request-line"
      // Before the field itself takes it for a URL.
      onPasteCapture={(event) => {
        const text = event.clipboardData.getData('text/plain');
        if (!isCurl(text)) return;
        event.preventDefault();
        event.stopPropagation();
        pasteCurl(text);
      }}
    >
      <ChoiceField path="method" label={words.method} options={methods} />
      <TemplateField
        path="url"
        label={words.url}
        placeholder="https://api.example.com/orders/{{order_id}}"
        place="url"
      />
    </div>
    <Button variant="default" size="compact-sm" style={{ alignSelf: 'flex-start' }} onClick={() => pasteCurl('')}>
      {words.curl.paste}
    </Button>
    <TemplateTable field="query" label={words.query} hint={words.queryHint} most={50} place="form" set={set} />
    <TemplateTable field="headers" label={words.headers} hint={words.headersHint} most={20} place="header" set={set} />
    <NumberField
      path="timeout_ms"
      label={words.timeout}
      description={words.timeoutHint}
      byDefault={10_000}
      min={1_000}
      max={120_000}
      unit={1_000}
    />
    <SwitchField path="follow_redirects" label={words.redirects} description={words.redirectsHint} byDefault={false} />
    <ForEach />
    <SwitchField path="safe_to_repeat" label={words.safe} description={words.safeHint} byDefault={false} />
  </Stack>
);

/** Whether the request is made for each item of a list, and which. */
const ForEach = () => {
  const { value, set } = useAt('for_each', { isWhole: false });
  if (value !== undefined && !isObject(value)) return <Misfit path="for_each" label={words.forEach} />;
  return (
    <Stack gap="xs" data-field="for_each">
      <Switch
        label={words.forEach}
        description={words.forEachHint}
        checked={value !== undefined}
        onChange={({ currentTarget }) => set(currentTarget.checked ? { items: '' } : undefined)}
      />
      {value !== undefined && (
        <>
          <TemplateField
            path="for_each.items"
            label={words.items}
            description={words.itemsHint}
            placeholder="{{params.orders}}"
            place="value"
          />
          <ChoiceField path="for_each.on_error" label={words.onError} options={words.onErrors} byDefault="stop" />
        </>
      )}
    </Stack>
  );
};
