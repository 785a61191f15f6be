module github.com/firstcontact-ros/firstcontact/adapters/rclgo

go 1.24.0

require (
	github.com/firstcontact-ros/firstcontact v0.0.0
	github.com/tiiuae/rclgo v0.0.0
)

replace (
	github.com/firstcontact-ros/firstcontact => ../..
	github.com/tiiuae/rclgo => ./internal/standin
)
