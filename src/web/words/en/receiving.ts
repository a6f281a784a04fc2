/** What helps with the endpoint of a webhook, on the webhook's page. */
export const receiving = {
  test: 'Test event',
  testHint: 'Sends one attempt with sample data, signed like any other, marked as a test, and not counted.',
  testDisabled: 'Nothing is sent to a webhook that is not active, not even test events.',
  testEvent: 'Event',
  sendTest: 'Send test event',
  testUnderWay: 'It is being sent …',
  testNotSent: 'It was not sent. Its delivery says why.',
  testSucceeded: 'The test event was delivered',
  testFailed: 'The test event was not delivered',
  openDelivery: 'Open its delivery',

  recent: 'Last deliveries',
  wholeLog: 'Whole log',
  noneRecent: 'Nothing was sent to it yet',
  noneRecentHint: 'Send a test event, or wait for the first event that it subscribes to.',
  noneRecentInactive: 'Nothing is sent to it while it is not active.',

  check: 'Check a signature',
  checkHint:
    'Your receiver refuses what Parley sends? Paste what it got or computed. The answer tells no secret and no signature.',
  body: 'Body',
  bodyHint: 'Exactly as it arrived.',
  signature: 'Signature',
  signatureHint: 'The value of X-Service-Signature, or of webhook-signature.',
  checkIt: 'Check',
  matches: 'It matches',
  nearly: 'It would match, but for this',
  mismatches: 'It does not match',
  headerOf: 'It is the right {{header}} of this body.',
  previousSecret:
    'The secret before the last change made it. That one signs for a day more, and in webhook-signature alone: give your receiver the new one.',
  madeAt: 'It was made at',
  tooOld: 'A receiver that refuses what is older than five minutes refuses it now. Each attempt is signed anew.',
  secretsOf: {
    api: 'The secret is the one of its registration, or of the last change by PATCH.',
    dashboard: 'The secret is the Webhook Secret of Settings, API.',
  },
  problems: {
    not_a_signature: 'This is no signature. X-Service-Signature has 64 characters of 0-9 and a-f.',
    needs_id_and_timestamp: 'webhook-signature also covers webhook-id and webhook-timestamp: give both.',
    surrounded: 'There is something around it: a name, quotes or a space. Compare the 64 characters alone.',
    upper_case: 'It is in upper case. X-Service-Signature is in lower case.',
    base64: 'It is in base64. X-Service-Signature is in hex.',
    body_surrounded: 'White space stands around the body, as a newline at its end, that was not sent.',
    body_reformatted:
      'The body was parsed and written anew. Verify the bytes as they arrive, before anything parses them.',
    decoded_key: 'The key was the decoded secret. That of X-Service-Signature is the whole text, whsec_ included.',
    whole_key: 'The key was the whole secret. That of webhook-signature is what follows whsec_, decoded from base64.',
    mismatch: 'Body and secret do not go together: either the body was changed on its way, or the secret is another.',
  },

  receiver: 'A receiver to begin with',
  receiverHint:
    'It verifies the signature and its age, answers at once, and takes each delivery once. Run it behind a server that speaks HTTPS.',
  receiverIn: 'Receiver in {{language}}',
  needs: {
    api: [
      'WEBHOOK_SECRET is the secret that you chose when you registered it.',
      'Exactly 200 counts, within 10 seconds. Everything else is tried again.',
      'The id of a delivery stands in its body, and in webhook-id.',
      'No challenge comes at registration. One may come when the webhook is re-enabled: 200 is enough.',
    ],
    dashboard: [
      'WEBHOOK_SECRET is the Webhook Secret of Settings, API.',
      'A challenge wants 200 and its value back. After that any 2xx counts, within 10 seconds.',
      'The id of a delivery stands in webhook-id alone.',
    ],
  },
} as const;
