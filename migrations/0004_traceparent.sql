-- The W3C traceparent of the call that an event came from, where tracing is on: every attempt joins that trace, also one
-- made minutes later by another process.
alter table deliveries add column traceparent text;
