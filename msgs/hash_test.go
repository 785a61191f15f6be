package msgs_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs"
	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon/humble"
	"github.com/firstcontact-ros/firstcontact/msgs/stdsrvs"
	"github.com/firstcontact-ros/firstcontact/msgs/typedescriptioninterfaces"
)

// published are type hashes as ROS 2 itself gives them.
//
// Where no other source is named they are in the C files that rosidl_generator_c
// of ROS 2 Kilted wrote for the types (PACKAGE__KIND__NAME__get_type_hash), which
// github.com/hpmicro/hpm_sdk keeps below middleware/microros/kilted/include:
// NAME__description.c has the type's own hash and those of the types it uses.
var published = map[string]string{
	"builtin_interfaces/msg/Duration": "RIHS01_e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b",
	"builtin_interfaces/msg/Time":     "RIHS01_b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197",

	"sensor_msgs/msg/JointState":                  "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
	"sensor_msgs/msg/PointCloud2":                 "RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5",
	"sensor_msgs/msg/PointField":                  "RIHS01_5c6a4750728c2bcfbbf7037225b20b02d4429634732146b742dee1726637ef01",
	"visualization_msgs/msg/Marker":               "RIHS01_45b13ccf791f225962bf74e746f9644518855d783a6f42ba0cc14fde2b4f3ce0",
	"std_msgs/msg/Header":                         "RIHS01_f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01",
	"trajectory_msgs/msg/JointTrajectory":         "RIHS01_179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e",
	"trajectory_msgs/msg/JointTrajectoryPoint":    "RIHS01_de8907036d8bd45aac6f30cc9044a3d4a329c42cbf719aff7d95a584cfa532d7",
	"trajectory_msgs/msg/MultiDOFJointTrajectory": "RIHS01_3a18fd095292a65cfde8833c72985a30af981f3ec44494655c6267262b443a4a",
	"moveit_msgs/msg/BoundingVolume":              "RIHS01_00bb0df2edac637497dedf1778d8f217187c8d9d10f41dcfccc4d8578123ef13",
	"moveit_msgs/msg/Constraints":                 "RIHS01_71718200459ae8fecdc4f2c9631215f7eba5ff686c701a32e231ba8b11b3592b",
	"moveit_msgs/msg/JointConstraint":             "RIHS01_4996641a8e12f5b7fde07f1cec1490324e1c4035ac5fc989ce99c9600c31e30d",
	"moveit_msgs/msg/RobotTrajectory":             "RIHS01_af1dc87fb94d13e5f233e9c210d2662fa06143a8b3c6aec47c57ad45074fcce8",

	// The C source that rosidl_generator_c wrote for the service, and the table of a Rust client
	// that speaks to ROS 2 Jazzy. Before Iron was released the service had other fields.
	"type_description_interfaces/srv/GetTypeDescription": "RIHS01_69b9c19c1021405984cc60dbbb1edceb147a6538b411d812ba6afabeed962cd5",

	"std_srvs/srv/SetBool":              "RIHS01_abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a",
	"std_srvs/srv/SetBool_Request":      "RIHS01_c62fbb99d94e1b25e8ef9e109f9581956bb1b3361a45a4e5810c36a90d29932e",
	"std_srvs/srv/SetBool_Response":     "RIHS01_d0814e7f7b4880ab77e9c57426c7aa1562ab69f11eef8e2e968812f9cbd0b059",
	"service_msgs/msg/ServiceEventInfo": "RIHS01_41bcbbe07a75c9b52bc96bfd5c24d7f0fc0a08c0cb7921b3373c5732345a6f45",

	"rcl_interfaces/msg/Log": "RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac",

	"lifecycle_msgs/msg/State":                            "RIHS01_dd2d02b82f3ebc858e53c431b1e6e91f3ffc71436fc81d0715214ac6ee2107a0",
	"lifecycle_msgs/msg/Transition":                       "RIHS01_c65d7b31ea134cba4f54fc867b817979be799f7452035cd35fac9b7421fb3424",
	"lifecycle_msgs/msg/TransitionDescription":            "RIHS01_c5f1cd4bb1ad2ba0e3329d4ac7015c52a674a72c1faf7974c37a33f4f6048b28",
	"lifecycle_msgs/srv/GetAvailableTransitions":          "RIHS01_59b7ecefce0982a8a844b9f2c4f14764c1c4543cc55e72924e2aa4adad83e9bc",
	"lifecycle_msgs/srv/GetAvailableTransitions_Request":  "RIHS01_52a73c0b5d7489bee0df6ddb0aec45c41289d223ff225b58fe11d859ac8109a6",
	"lifecycle_msgs/srv/GetAvailableTransitions_Response": "RIHS01_4711339461aadf02bcfff797a198de911f885074bd3f2fe9f7b677ef87f0741c",

	// The constant ROS_DISCOVERY_INFO_TYPE_HASH ("in Iron and Jazzy") of
	// github.com/eclipse-zenoh/zenoh-plugin-ros2dds; it depends on the bound of
	// the node's name and on the 16 bytes of a gid.
	"rmw_dds_common/msg/ParticipantEntitiesInfo": "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e",

	// Recorded by ros2 bag of Jazzy as type_description_hash in metadata.yaml.
	"std_msgs/msg/String":    "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
	"tf2_msgs/msg/TFMessage": "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",

	// The JSON files that ROS 2 Jazzy installs as share/rcl_interfaces/srv/NAME.json.
	"rcl_interfaces/srv/ListParameters":          "RIHS01_3e6062bfbb27bfb8730d4cef2558221f51a11646d78e7bb30a1e83afac3aad9d",
	"rcl_interfaces/srv/GetParameters":           "RIHS01_bf9803d5c74cf989a5de3e0c2e99444599a627c7ff75f97b8c05b01003675cbc",
	"rcl_interfaces/srv/GetParameterTypes":       "RIHS01_da199c878688b3e530bdfe3ca8f74cb9fa0c303101e980a9e8f260e25e1c80ca",
	"rcl_interfaces/srv/SetParameters":           "RIHS01_56eed9a67e169f9cb6c1f987bc88f868c14a8fc9f743a263bc734c154015d7e0",
	"rcl_interfaces/srv/SetParametersAtomically": "RIHS01_0e192ef259c07fc3c07a13191d27002222e65e00ccec653ca05e856f79285fcd",
	"rcl_interfaces/srv/DescribeParameters":      "RIHS01_845b484d71eb0673dae682f2e3ba3c4851a65a3dcfb97bddd82c5b57e91e4cff",

	// Outputs of rosidl_generator_c, as above, that public repositories keep
	// (found by their bytes).
	"std_msgs/msg/Bool":                     "RIHS01_feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9",
	"std_msgs/msg/Float64":                  "RIHS01_705ba9c3d1a09df43737eb67095534de36fd426c0587779bda2bc51fe790182a",
	"std_msgs/msg/Empty":                    "RIHS01_20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312",
	"geometry_msgs/msg/TransformStamped":    "RIHS01_0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206",
	"rmw_dds_common/msg/Gid":                "RIHS01_ab6f21cfbb0a6dbb837161e1110c2051a2850ed9f9c53944d7115d9bcebedf71",
	"rmw_dds_common/msg/NodeEntitiesInfo":   "RIHS01_8ffef65ee2d088c63b1e8fcd31e800ba9fc8dbe0ee15ca60d1676de5218087a7",
	"rcl_interfaces/msg/ParameterEvent":     "RIHS01_043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204",
	"diagnostic_msgs/msg/DiagnosticArray":   "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e",
	"lifecycle_msgs/msg/TransitionEvent":    "RIHS01_d5f8873a2f0146498f812d7885c7327ce27e463d36811d8792f35ee38c0d6c38", // Kilted and before
	"lifecycle_msgs/srv/ChangeState":        "RIHS01_356fe34f0475a43acf54542013af4167b0e729f77ea22ffb045c6ad8e20668e5",
	"lifecycle_msgs/srv/GetState":           "RIHS01_800a0a5aae599782b02932de0caf563f6dc4e7e94b794eadde075ba2cbef9795",
	"lifecycle_msgs/srv/GetAvailableStates": "RIHS01_00a07d79d2207d71e81a8cbc1880e5d924cc16d4688ea8e8e06e443dc8f8aa1d",

	// Outputs of rosidl_generator_c (NAME__struct.h) that a public repository keeps; those of
	// the action cover every type that it uses.
	"unique_identifier_msgs/msg/UUID":                              "RIHS01_1b8e8aca958cbea28fe6ef60bf6c19b683c97a9ef60bb34752067d0f2f7ab437",
	"action_msgs/msg/GoalInfo":                                     "RIHS01_6398fe763154554353930716b225947f93b672f0fb2e49fdd01bb7a7e37933e9",
	"action_msgs/msg/GoalStatus":                                   "RIHS01_32f4cfd717735d17657e1178f24431c1ce996c878c515230f6c5b3476819dbb9",
	"action_msgs/msg/GoalStatusArray":                              "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e",
	"action_msgs/srv/CancelGoal":                                   "RIHS01_573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a",
	"action_msgs/srv/CancelGoal_Request":                           "RIHS01_3d3c84653c1f96918086887e1dcb236faec88b81a5b14fd4cf4840065bcdf8af",
	"action_msgs/srv/CancelGoal_Response":                          "RIHS01_35e682cf3f510e83c70a82a4aac888496dedee56773bf9d8e5e0aa81f9e1c960",
	"trajectory_msgs/msg/MultiDOFJointTrajectoryPoint":             "RIHS01_6ada1085b5ee64eaa069b074968e69f0e27c8c5e6f5bb0586dd1c834ef0e32b8",
	"geometry_msgs/msg/Twist":                                      "RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
	"control_msgs/msg/JointTolerance":                              "RIHS01_c254f9cece0f3b733017b6990fd46d1326e25242d6b8844398c97d9a88e7d648",
	"control_msgs/action/FollowJointTrajectory":                    "RIHS01_738ebcb7a2d7cfa42f9f1001cc99ce3a4383d1cfe508015d9be8485e4b1c66f6",
	"control_msgs/action/FollowJointTrajectory_Goal":               "RIHS01_8a9060704b269608f5a340934cc26e66869dd14bdac29e2e7fd9ec8b9882d205",
	"control_msgs/action/FollowJointTrajectory_Result":             "RIHS01_8002e99ed2c14c6faa522f2a93c26d744c5982f254f9e98ff9c6f19789bdb220",
	"control_msgs/action/FollowJointTrajectory_Feedback":           "RIHS01_3fd0aaecf71725121ae1ff7f01098a5e0da581e672be18a6b2c286cb43d96b49",
	"control_msgs/action/FollowJointTrajectory_FeedbackMessage":    "RIHS01_80398fcb9674a79081a9906e2ccf0c804dd7cb15e22e362e606ee87186beab71",
	"control_msgs/action/FollowJointTrajectory_SendGoal":           "RIHS01_b13789dddc325a7a962825c45e28c77d37237ec129dd0c34dc5994562938c57f",
	"control_msgs/action/FollowJointTrajectory_SendGoal_Request":   "RIHS01_179c93691f1f6d1d115881ff88c3917b7cc6eac2ba4bf56766cc7c4389e19ef1",
	"control_msgs/action/FollowJointTrajectory_SendGoal_Response":  "RIHS01_e6a48ba740ae254500129a877f0b071be8663a115da1a539b74599cc97921fbf",
	"control_msgs/action/FollowJointTrajectory_GetResult":          "RIHS01_e3ceb38e3e1867c8dc0f46014df26e90eb93422f27e9e97f936e07f94be4bc8b",
	"control_msgs/action/FollowJointTrajectory_GetResult_Request":  "RIHS01_ecf7ea8463d3beec7084bca75216d0b01b87b6e1e4e09679bb26093041efcbe9",
	"control_msgs/action/FollowJointTrajectory_GetResult_Response": "RIHS01_08eefbaa146ce02ba45898d5e99160afd6c4c54a30d159aee0f2ca6035b1580f",

	// Programs that speak to ROS 2 Jazzy over zenoh, where a wrong hash keeps
	// topics apart (the type list of Pico-ROS and the like).
	"geometry_msgs/msg/Point":                 "RIHS01_6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881",
	"geometry_msgs/msg/Pose":                  "RIHS01_d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa",
	"geometry_msgs/msg/Quaternion":            "RIHS01_8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684",
	"geometry_msgs/msg/Transform":             "RIHS01_beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc",
	"geometry_msgs/msg/Vector3":               "RIHS01_cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d",
	"rosgraph_msgs/msg/Clock":                 "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
	"diagnostic_msgs/msg/DiagnosticStatus":    "RIHS01_b0e3e692ea2d54a8af2f4ef1930e81556a2db55216b771f8a7d2724ed47bf0e4",
	"diagnostic_msgs/msg/KeyValue":            "RIHS01_d68081eaa540288c5440753baecef0c4e16e81a5f78ad68902ded5100413bb42",
	"rcl_interfaces/msg/FloatingPointRange":   "RIHS01_e6af23a23c177fee5f3075c8b1e435162a9b63c863d78c06017460b49684262d",
	"rcl_interfaces/msg/IntegerRange":         "RIHS01_f7b7fdc0f65f07702e099218e13288c3963bcb9345bde78b560e6cd19800fc5a",
	"rcl_interfaces/msg/ListParametersResult": "RIHS01_237ae3428413dcbcfb452b510c42355f3a2b021dc091afa3e18526d57022f1cd",
	"rcl_interfaces/msg/Parameter":            "RIHS01_ddfe6442cffc462317adb5c92536a7b6dd55858c5c3e1e328165a6b73c2831af",
	"rcl_interfaces/msg/ParameterDescriptor":  "RIHS01_52175dbfda6c51153101d33d2a9da05743f66f02d5ab2ca9ec4709b46b73d704",
	"rcl_interfaces/msg/ParameterType":        "RIHS01_df29ed057a834862187be24dd187d981790ff3ea6502f4cd27b432cbc42c6d46",
	"rcl_interfaces/msg/ParameterValue":       "RIHS01_115fc089a387e23c7ecd3525c9189c379109119d6ab82e8dfbde0fdf6a7f9b68",
	"rcl_interfaces/msg/SetParametersResult":  "RIHS01_cfcc0fb0371ee5159b403960ef4300f8f9d2f1fd6117c8666b7f9654d528a9b1",

	// Outputs of rosidl_generator_c for moveit_msgs, and as EXPECTED_HASH for what
	// moveit_task_constructor_msgs/msg/SubTrajectory refers to.
	"geometry_msgs/msg/Point32":               "RIHS01_2fc4db7cae16a4582c79a56b66173a8d48d52c7dc520ddc55a0d4bcf2a4bfdbc",
	"geometry_msgs/msg/Polygon":               "RIHS01_3782f9f0bf044964d692d6c017d705e37611afb1f0bf6a9dee248a7dda0f784a",
	"geometry_msgs/msg/Wrench":                "RIHS01_018e8519d57c16adbe97c9fe1460ef21fec7e31bc541de3d653a35895677ce52",
	"moveit_msgs/msg/AllowedCollisionEntry":   "RIHS01_eeb7cc3f1bfdb8c778aa7454ae90037c2749dab3ca0abdfe3dad2ae8723977db",
	"moveit_msgs/msg/AllowedCollisionMatrix":  "RIHS01_ac0159eec0d99f73158c7349c9d1c01b3dc7f749d75a2ea22e74a2a1091a9b05",
	"moveit_msgs/msg/AttachedCollisionObject": "RIHS01_7fdfe7951a33a857f20fc42c9ed410a38d06dd0c209ac774ecea746dc487dc41",
	"moveit_msgs/msg/CollisionObject":         "RIHS01_74b0acd6d56be032bf4f764b2c2633f50588b5fb2bd71e97206c59052747cf7e",
	"moveit_msgs/msg/LinkPadding":             "RIHS01_864762d9e19f758b0385427f75691374cae830495727c96405f2bad0eb20c766",
	"moveit_msgs/msg/LinkScale":               "RIHS01_4666a0685f26365ccf4c9bfed0b14c654604fa0564be65c221d8d54fdc7a0f83",
	"moveit_msgs/msg/ObjectColor":             "RIHS01_4f937f7b22942a9c4a6409c20255aaad1b5d9a003ae3c0edb779698be443c127",
	"moveit_msgs/msg/PlanningScene":           "RIHS01_0f58540ad5eab4b9ea827d53b763c793d8cabd202b3b301fcee25afa4ce1bd80",
	"moveit_msgs/msg/PlanningSceneWorld":      "RIHS01_e08e6a4a81ca6b6a6953ac758dadc2c949555093efea6a9a22d9accf62c2c099",
	"moveit_msgs/msg/RobotState":              "RIHS01_7c516dc15713e545cb2836c5ca745fbdcfcc10de4855a41c83e6b4bf1afc3f83",
	"moveit_msgs/msg/PlanningSceneComponents": "RIHS01_76b77cb53f7a0b680d46fad6c0056d3710a74ec335dd5f361f3df62383313d69",
	"object_recognition_msgs/msg/ObjectType":  "RIHS01_5eb3ee3976403366d7c50d7dbee8bec96b3bced1e752674a7194a35841632134",
	"octomap_msgs/msg/Octomap":                "RIHS01_9891a19a05b70ec20aa8f45db3f8300b9ab80afff32c61c549d25087da9625b0",
	"octomap_msgs/msg/OctomapWithPose":        "RIHS01_e65f8760aa96a2acef86b6d206175cfc78420082b6159dd3fa6ebf93f5f81979",
	"sensor_msgs/msg/MultiDOFJointState":      "RIHS01_4d4ded702cfba7ff3ec783835c1a1425f75e53939a430ff355d1fee4b3bbc40b",
	"shape_msgs/msg/Mesh":                     "RIHS01_f2150b82d8ee7e8bc3f396a2b158aefb4b9a5510a474be271ba1268aebb55289",
	"shape_msgs/msg/MeshTriangle":             "RIHS01_618e5c073eeb729e433ef6226e72c01d995c459fb7d76348c9700409a5020bd0",
	"shape_msgs/msg/Plane":                    "RIHS01_dfbfe8314689c850615d4a727af017e9aa86c10e369a606c8c851ef8f16c58c8",
	"shape_msgs/msg/SolidPrimitive":           "RIHS01_2802a15190aadc3f496584df4b0b4c5824d8a0b31aaef839faa75bc34dda38ac",
	"std_msgs/msg/ColorRGBA":                  "RIHS01_77a7a5b9ae477306097665106e0413ba74440245b1f3d0c6d6405fe5c7813fe8",
}

var services = []cdr.ServiceInfo{
	stdsrvs.SetBoolService(),
	rclinterfaces.DescribeParametersService(),
	rclinterfaces.GetParameterTypesService(),
	rclinterfaces.GetParametersService(),
	rclinterfaces.ListParametersService(),
	rclinterfaces.SetParametersService(),
	rclinterfaces.SetParametersAtomicallyService(),
	lifecyclemsgs.ChangeStateService(),
	lifecyclemsgs.GetStateService(),
	lifecyclemsgs.GetAvailableStatesService(),
	lifecyclemsgs.GetAvailableTransitionsService(),
	typedescriptioninterfaces.GetTypeDescriptionService(),
	actionmsgs.CancelGoalService(),
	controlmsgs.FollowJointTrajectoryAction().SendGoal,
	controlmsgs.FollowJointTrajectoryAction().GetResult,
}

func TestHashesAreThePublishedOnes(t *testing.T) {
	computed := map[string]string{}
	for _, m := range msgs.All() {
		if !isHumble(m) {
			computed[m.ROSType().ROSName()] = m.ROSType().Hash
		}
	}
	for _, s := range services {
		computed[s.ROSName()] = s.Hash
		computed[s.Request.ROSName()] = s.Request.Hash
		computed[s.Response.ROSName()] = s.Response.Hash
		if s.Request.Name != s.Name+"_Request" || s.Response.Name != s.Name+"_Response" {
			t.Errorf("%s has the halves %s and %s", s.Name, s.Request.Name, s.Response.Name)
		}
	}
	follow := controlmsgs.FollowJointTrajectoryAction()
	computed[follow.ROSName()] = follow.Hash
	computed[follow.Feedback.ROSName()] = follow.Feedback.Hash
	for name, want := range published {
		if got := computed[name]; got != want {
			t.Errorf("%s has the hash\n %q, published is\n %q", name, got, want)
		}
	}
}

// The hash of Humble's discovery message is never sent, Humble having none, but
// it must not pass for the newer one.
func TestHumbleHasItsOwnHash(t *testing.T) {
	if new(humble.ParticipantEntitiesInfo).ROSType().Hash == new(rmwddscommon.ParticipantEntitiesInfo).ROSType().Hash {
		t.Error("gids of 24 and of 16 bytes give one hash")
	}
}
