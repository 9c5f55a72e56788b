/** The tests of these modules, on PostgreSQL. */
import "../../server/adapters/demo/store.test.ts";
import "../../server/audit/audit.test.ts";
import "../../server/challenges/challenges.test.ts";
import "../../server/database/prepared-query.test.ts";
import "../../server/email/outbox-lists.test.ts";
import "../../server/email/outbox-workers.test.ts";
import "../../server/email/outbox.test.ts";
import "../../server/jobs/jobs.test.ts";
import "../../server/jobs/leases.test.ts";
import "../../server/rate-limit/rate-limit.test.ts";
import "../../server/webhooks/webhooks.test.ts";
