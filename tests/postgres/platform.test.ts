/** The tests of these modules, on PostgreSQL. */
import "../../server/adapters/demo/store.test.ts";
import "../../server/platform/audit/audit.test.ts";
import "../../server/members/challenges/challenges.test.ts";
import "../../server/platform/database/prepared-query.test.ts";
import "../../server/platform/email/outbox-lists.test.ts";
import "../../server/platform/email/outbox-workers.test.ts";
import "../../server/platform/email/outbox.test.ts";
import "../../server/platform/jobs/jobs.test.ts";
import "../../server/platform/jobs/leases.test.ts";
import "../../server/platform/rate-limit/rate-limit.test.ts";
import "../../server/platform/webhooks/webhooks.test.ts";
