import { expect, test } from 'vitest';
import { maskUrl, maskUrlTemplate } from '../../../src/shared/platform/mask-url.ts';

test.for([
  ['https://example.com', 'https://example.com'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com/hooks/parley/v2', 'https://example.com/hooks/parley/v2'],
  ['https://example.com/notification-preferences/in', 'https://example.com/notification-preferences/in'],
  ['https://example.com/internationalization', 'https://example.com/internationalization'],
  // Of the well-known ones.
  [
    'https://hooks.slack.com/services/T0001/B0002/XXXXabcdXXXXabcdXXXXabcd',
    'https://hooks.slack.com/services/T0001/B0002/…',
  ],
  ['https://discord.com/api/webhooks/123456789012345678/aB-c_d9', 'https://discord.com/api/webhooks/…/aB-c_d9'],
  ['https://webhook.site/0b8a9f9c-6c1e-4f6e-9d3b-2a1f0c9e8d7c', 'https://webhook.site/…'],
  [
    'https://x.logic.azure.com/workflows/9f8e7d6c5b4a/run?sv=1.0&sig=s3cr3t',
    'https://x.logic.azure.com/workflows/…/run?sv=…&sig=…',
  ],
  // In the host, before the name that somebody registered.
  ['https://eo1a2b3c4d5e6f7.m.pipedream.net/', 'https://….m.pipedream.net/'],
  ['https://0b8a9f9c6c1e4f6e.example.net/x', 'https://….example.net/x'],
  ['https://in.0b8a9f9c6c1e4f6e.example.net.:8443/x', 'https://in.….example.net.:8443/x'],
  ['https://ada:secret@0b8a9f9c6c1e4f6e.example.net', 'https://…@….example.net'],
  ['https://0b8a9f9c6c1e4f6e.net/x', 'https://0b8a9f9c6c1e4f6e.net/x'],
  ['https://hooks.parley-webhooks.example.net', 'https://hooks.parley-webhooks.example.net'],
  ['https://198.51.100.200:8443/x', 'https://198.51.100.200:8443/x'],
  ['https://[2001:db8:1234:5678::203.0.113.7]/x', 'https://[2001:db8:1234:5678::203.0.113.7]/x'],
  // In the query everything may be one.
  ['https://example.com/hook?token=abc', 'https://example.com/hook?token=…'],
  ['https://example.com/hook?token=', 'https://example.com/hook?token='],
  ['https://example.com/hook?a=1&b=2=3', 'https://example.com/hook?a=…&b=…'],
  ['https://example.com/hook?abc', 'https://example.com/hook?…'],
  ['https://example.com/hook?0123456789abcdef=1', 'https://example.com/hook?…=…'],
  ['https://example.com/hook?', 'https://example.com/hook?'],
  ['https://example.com?token=abc', 'https://example.com?token=…'],
  // Other ways to write one into a path.
  ['https://example.com/hook;token=abc/in', 'https://example.com/hook;token=…/in'],
  ['https://example.com/key=abc', 'https://example.com/key=…'],
  ['https://example.com/%61%62%63%64', 'https://example.com/…'],
  ['https://example.com/abcdefghijklmnopqrstuvwxyz', 'https://example.com/…'],
  ['https://example.com/AbcdEfghIjkl', 'https://example.com/…'],
  ['https://example.com\\0123456789ab\\in', 'https://example.com\\…\\in'],
  ['https://ada:secret@example.com/hook', 'https://…@example.com/hook'],
  ['https://example.com/hook#0123456789ab', 'https://example.com/hook'],
  ['0123456789ab', '…'],
] as const)('%s is shown as %s', ([url, shown]) => {
  expect(maskUrl(url)).toBe(shown);
});

test.for([
  ['https://example.com/orders/{{params.order}}?since={{now|date:"YYYY"}}', null],
  ['https://example.com/hook?token=abc&to={{contact.phone}}', 'https://example.com/hook?token=…&to={{contact.phone}}'],
  ['https://example.com/?q=abc{{size|default:"a&b=c/d?"}}def', 'https://example.com/?q=…{{size|default:"a&b=c/d?"}}…'],
  ['https://example.com/?{{a}}&abc', 'https://example.com/?{{a}}&…'],
  ['https://example.com/0123456789ab/{{a}}', 'https://example.com/…/{{a}}'],
  ['https://{{a}}:secret@example.com/{{b}}', 'https://…@example.com/{{b}}'],
  // Half-finished ones are hidden rather than read in a wrong way.
  ['https://example.com/?token=abc{{a', 'https://example.com/?token=…'],
  ['{{base}}/?token=abc', '…'],
] as const)('of the template %s placeholders stay', ([template, shown]) => {
  expect(maskUrlTemplate(template)).toBe(shown ?? template);
});
