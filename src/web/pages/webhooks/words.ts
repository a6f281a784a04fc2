/** Settings, Webhooks. */
export const words = {
  title: 'Webhooks',
  titleOf: (place: string) => `Webhook to ${place}`,
  id: 'Id',
  edit: 'Edit',
  deleteTitle: (place: string) => `Delete the webhook to ${place}?`,
  deleteText:
    'Nothing more is sent to it. Its deliveries that are not finished, parked ones included, end as cancelled. The log keeps what was delivered. This cannot be taken back.',
  pendingTitle: 'The new URL has not passed its challenge',
  pendingText: ({ url, pending }: { url: string; pending: string }) =>
    `Events go on to ${url}. ${pending} takes its place when it has answered a challenge.`,
  unverifiedTitle: 'This webhook is not verified',
  unverifiedText: 'Nothing is sent to it and nothing is kept for it until its endpoint has answered a challenge.',
  lastChallenge: 'The last challenge',
  description:
    'Parley sends each event as a signed POST to the URLs here, within seconds, and again up to five times when it fails.',
  list: 'Webhooks',
  add: 'Add webhook',
  open: 'Open the webhook',
  empty: 'No webhooks yet',
  emptyHint:
    'Add the URL of your endpoint. Parley asks for its consent by a challenge, and then sends it what happens.',
  planTitle: 'Your plan has no webhooks',
  planHint: 'Webhooks need the plan Pro or higher. Who runs this installation can change the plan.',
  planLapsed:
    'Nothing is sent until the plan includes webhooks again. Events are kept as parked deliveries until then, and can be replayed.',

  url: 'URL',
  urlHint: 'It begins with https:// and is publicly reachable.',
  urlHintPrivate:
    'It begins with https:// and is publicly reachable, or one that the operator of this installation allows.',
  urlOfApi: 'A changed URL is in force at once, also for retries that are already scheduled.',
  urlOfDashboard: 'A changed URL takes force when it has passed its challenge.',
  variant: 'Registered',
  variants: { api: 'By the API', dashboard: 'In the dashboard' },
  secretOf: 'Signed with',
  secretsOf: {
    api: 'The secret that was chosen at its registration',
    dashboard: 'The Webhook Secret of the account (Settings, API)',
  },
  events: 'Events',
  allEvents: 'All events',
  allEventsHint: 'Also those that later versions bring.',
  chosenEvents: 'Which events',
  status: 'Status',
  statuses: { active: 'Active', failures: 'Disabled', unverified: 'Not verified' },
  since: 'since',
  parked: 'Parked',
  pending: 'Pending',
  retrying: 'Retrying',
  atLeast: (number: string) => `${number} or more`,
  created: 'Registered at',
  verified: { api: 'Found healthy at', dashboard: 'Consented at' },

  registerText: 'On saving, your endpoint is sent a challenge, {"challenge":"…"}, and answers 200 with that value.',
  save: 'Save and verify',
  done: 'Done',
  verifyAgain: 'Verify again',
  outcomes: {
    healthy: 'Your endpoint is healthy: the webhook is active',
    unhealthy: 'Your endpoint is not healthy: the webhook stays disabled',
    consented: 'Your endpoint consented: the webhook is active',
    refused: 'Not verified yet: nothing is sent to it',
    urlInForce: 'Your endpoint consented: the new URL is in force',
    urlWaits: 'The new URL has not passed: events go on to the one before',
  },
  not200: (status: number | null) => `It answered ${status ?? ''} instead of 200.`,
  checks: {
    challenge: 'It answered 200, but not with the value of the challenge.',
    busy: 'Nothing was sent, because many requests are under way. Try again in a moment.',
    timeout: 'It did not answer within 10 seconds.',
    dns: 'Its name was not found. Check the host in the URL.',
    refused_address:
      'Its IP address is not public, as those of a private network or of this machine. Whoever runs this installation lets it through with the setting EGRESS_ALLOW.',
    connect: 'No connection was made. Check that it runs, and that its port is open.',
    tls: 'Its certificate was refused. It needs one of a known authority, for this very host name.',
    reset: 'It closed the connection without an answer.',
    protocol: 'What it answered is not HTTP.',
  },
  answer: 'What it answered',
  answerStatus: 'Status',
  latency: 'Took',
  ms: (ms: string) => `${ms} ms`,
  address: 'IP address',
  asked: 'POST to',
  askedAt: 'Asked at',
  cause: 'Cause',
  emptyAnswer: 'Nothing',

  reEnableTitle: 'Disabled after failures',
  reEnabledTitle: 'Re-enabled',
  reEnableText:
    'Nothing is sent to it. Events are kept meanwhile. Mend the endpoint first: it is asked, and only a healthy one is made active again.',
  lastFailure: 'The last failure:',
  reEnable: 'Re-enable',
  replayWhat: 'What was not delivered',
  replayChoices: {
    all: 'Replay all that is parked, and what failed or was dropped since the last success',
    since: 'Replay what was parked since a time',
    none: 'Replay nothing now: it stays parked, and can be replayed from the delivery log',
  },
  replaySince: 'Since',
  wouldFind: ({ parked, failed, dropped }: { parked: string; failed: string; dropped: string }) =>
    `${parked} parked, ${failed} failed and ${dropped} dropped.`,
  replayBegun: 'The replay has begun',
  replayFound: ({ parked, failed, dropped }: { parked: number; failed: number; dropped: number }) =>
    `It found ${parked} parked, ${failed} failed and ${dropped} dropped deliveries.`,
  noneReplayed: 'Nothing is replayed.',
  seeReplay: 'See how far it is',

  byApi: 'Register one by the API instead',
  byApiText:
    'A webhook of the API has a secret that you choose (the libraries of Standard Webhooks want the form whsec_…, which the command makes), no challenge, and an id on each event. It is disabled, with a mail to the owner, when all six attempts of a delivery fail and no other delivery to it succeeds between the first and the last. A dashboard webhook is never disabled: an event whose six attempts fail is dropped.',
  curl: 'Registration by curl',

  /** What helps with the endpoint of a webhook, on the webhook's page. */
  receiving: {
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
    headerOf: (header: string) => `It is the right ${header} of this body.`,
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
    receiverIn: (language: string) => `Receiver in ${language}`,
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
  },
} as const;
