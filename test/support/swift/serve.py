"""One of the servers of OpenStack Swift, by the library alone: Debian's packages of the servers would start their own."""
import sys

from swift.common import utils
from swift.common.storage_policy import reload_storage_policies

folder, role = sys.argv[1:3]
utils.SWIFT_CONF_FILE = folder + '/swift.conf'
utils.validate_configuration()
reload_storage_policies()

if role == 'rings':
    from swift.common.ring.builder import RingBuilder

    for argument in sys.argv[3:]:
        name, port = argument.split(':')
        builder = RingBuilder(1, 1, 1)
        builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd', 'weight': 1})
        builder.rebalance()
        builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
    sys.exit(0)

from swift.common.wsgi import run_wsgi

options = {'verbose': True}
if role == 'object':
    from swift.obj import server

    options['global_conf_callback'] = server.global_conf_callback
sys.exit(run_wsgi('%s/%s.conf' % (folder, role), role + '-server', **options))
